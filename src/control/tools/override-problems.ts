import { parseToolId } from '../../core/index.js';
import type { ToolProblem } from '../contract/tools.js';
import type { ControlledDaemon } from '../controlled-daemon.js';

/** Overrides of the configuration that do not do what the user wants, and why. */
export function overrideProblems({
  catalog,
  config,
}: Pick<ControlledDaemon, 'catalog' | 'config'>): readonly ToolProblem[] {
  const strangers = [...config.overrides.keys()].flatMap((tool) => {
    const { server } = parseToolId(tool);
    const isKnown = config.file.mcpServers[server] !== undefined || config.broken.has(server);
    return isKnown ? [] : [{ tool, problem: `there is no server ${server}` }];
  });
  const isListed = (server: keyof typeof config.file.mcpServers) => {
    const spec = [...config.servers.values()].find(({ name }) => name === server);
    return spec !== undefined && catalog.server(spec.name)?.configHash === spec.configHash;
  };
  return [...strangers, ...catalog.overridden.problems(isListed)];
}
