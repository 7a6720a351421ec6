import type { Command } from 'commander';

import { ALL_COMMANDS } from '../all-commands.js';
import { type CommandExample, COMMANDS, type CommandEntry } from '../commands.js';
import { createProgram, examplesOf } from '../program.js';

/** One command or subcommand, as documentation shows it. */
export interface CommandDescription {
  /** Without `pml`, such as `tools show`. */
  readonly command: string;
  readonly group: CommandEntry['group'];
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly { readonly flags: string; readonly description: string }[];
  readonly examples: readonly CommandExample[];
}

/** Every command in the order of the help, each followed by its subcommands. */
export async function describeCommands(): Promise<readonly CommandDescription[]> {
  const program = await createProgram(ALL_COMMANDS);
  return COMMANDS.flatMap((entry) => {
    const command = program.commands.find((one) => one.name() === entry.name);
    if (!command) return [];
    const subcommands = new Set(command.commands.map((one) => one.name()));
    const describe = (one: Command, path: string): CommandDescription => ({
      command: path,
      group: entry.group,
      usage: `pml ${path} ${one.usage()}`,
      description: one.description(),
      arguments: one.registeredArguments.map((argument) => ({
        name: argument.name(),
        description: argument.description,
      })),
      options: one.options
        .filter(({ hidden }) => !hidden)
        .map(({ flags, description }) => ({ flags, description })),
      examples: examplesOf(entry, path, subcommands),
    });
    return [
      describe(command, entry.name),
      ...command.commands.map((one) => describe(one, `${entry.name} ${one.name()}`)),
    ];
  });
}
