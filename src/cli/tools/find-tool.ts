import type { DaemonTools, ListedTool } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { nearestNames } from '../../core/names/nearest-names.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { awaitLists } from './await-lists.js';

const SHOWN = 3;

/** The tool that is meant by `server:tool`, or by its name alone where only one server has it. */
export async function findTool(wanted: string, flags: DaemonFlags): Promise<ListedTool> {
  const { answer } = await askStarted(flags, 'tools', {});
  const known = chooseTool(wanted, answer.tools);
  if (known) return known;
  // A server that has not shown its tools yet may have it.
  const server = wanted.includes(':') ? wanted.slice(0, wanted.indexOf(':')) : undefined;
  await awaitLists(flags, server);
  const { answer: all } = await askStarted(flags, 'tools', {});
  return chooseTool(wanted, all.tools) ?? refuse(wanted, all);
}

function chooseTool(wanted: string, tools: readonly ListedTool[]): ListedTool | undefined {
  const exact = tools.find(({ id }) => id === wanted);
  if (exact) return exact;
  const named = tools.filter(({ definition }) => definition.name === wanted);
  if (named.length <= 1) return named[0];
  const ids = named.map(({ id }) => id).join(', ');
  throw new PmlError('BAD_REQUEST', `Several servers have a tool ${wanted}: ${ids}`);
}

function refuse(wanted: string, { tools, missing }: DaemonTools): never {
  const near = nearestNames(
    wanted,
    tools.map(({ id }) => id),
    SHOWN,
  );
  const hint = near.length > 0 ? `The nearest are ${near.join(', ')}` : 'pml tools lists all tools';
  const absent = missing.map(({ server, reason }) => `; ${server} is missing: ${reason}`).join('');
  throw new PmlError('TOOL_UNKNOWN', `There is no tool ${wanted}. ${hint}${absent}`);
}
