import type { LoadedConfig } from '../config/load.js';
import type { ServerName, ServerSpec } from '../core/index.js';
import type { Engine } from './engine.js';

/** Starts servers we have no lists of, and those the user wants up, in the background. */
export async function startServers(
  { catalog, pool }: Pick<Engine, 'catalog' | 'pool'>,
  config: LoadedConfig,
): Promise<void> {
  for (const { name } of catalog.servers()) {
    if (!isConfigured(config, name)) catalog.forget(name);
  }
  const isListed = ({ name, configHash }: ServerSpec) =>
    catalog.server(name)?.configHash === configHash;
  const wanted = [...config.servers.values()].filter(
    (spec) => spec.start === 'background' || !isListed(spec),
  );
  await pool.warmUp(wanted.map(({ name }) => name));
}

function isConfigured({ servers, broken, disabled }: LoadedConfig, name: ServerName): boolean {
  return servers.has(name) || broken.has(name) || disabled.includes(name);
}
