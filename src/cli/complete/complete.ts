import type { Command } from 'commander';

import { COMMANDS } from '../commands.js';
import type { CommandLoaders } from '../quick-commands.js';
import { findTool } from '../tools/find-tool.js';
import { listNames } from '../tools/list.js';
import { flagsOf } from '../tools/tool-flags.js';
import { completeCommand, type Completion } from './candidates.js';

/**
 * What the completion scripts ask: the words after `pml`, the last one being written. Prints what fits,
 * one a line, and nothing where the shell should offer files. Starts no daemon and reports no error:
 * a completion must not disturb the line that the user writes.
 */
export async function printCompletions(
  words: readonly string[],
  loaders: CommandLoaders,
): Promise<void> {
  const current = words.at(-1) ?? '';
  const found = await candidates(words, loaders).catch((): readonly string[] => []);
  const fits = [...new Set(found)].filter((one) => one.startsWith(current));
  if (fits.length > 0) process.stdout.write(`${fits.join('\n')}\n`);
}

async function candidates(
  words: readonly string[],
  loaders: CommandLoaders,
): Promise<readonly string[]> {
  const [name = '', ...rest] = words;
  if (rest.length === 0) return [...COMMANDS.map((one) => one.name), 'help'];
  const command: Command | undefined = await loaders[name]?.();
  return command ? resolve(completeCommand(command, rest)) : [];
}

async function resolve({ words, kind, toolOptions }: Completion): Promise<readonly string[]> {
  const names = kind ? await listNames(kind, {}) : [];
  const options = toolOptions === undefined ? [] : await toolFlags(toolOptions);
  return [...words, ...names, ...options, ...(kind === 'runs' ? ['latest'] : [])];
}

async function toolFlags(tool: string): Promise<readonly string[]> {
  // Where no daemon runs, nothing is known, and none is started for this.
  if ((await listNames('tools', {})).length === 0) return [];
  const { definition } = await findTool(tool, {});
  return flagsOf(definition.inputSchema).map(({ param }) => `--${param}`);
}
