import { Command, InvalidArgumentError, Option } from 'commander';

import type { AddOptions } from './run-add.js';

const EXIT_CODES = `
Exit codes:
  0 the server is added, or nothing had to be written
  1 the command failed or was declined
  2 wrong usage
  3 the server is added and does not work yet`;

type Flags = Partial<Omit<AddOptions, 'source' | 'command' | 'isTried'>> & {
  readonly try: boolean;
};

/** `pml add`: one more server behind PML. */
export function addCommand(): Command {
  return new Command('add')
    .argument(
      '<server>',
      'a name of your own, before -- and a command or with --url; or a server.json: its file, its address, or its name in the registry',
    )
    .argument('[command...]', 'after --: the command that starts the server')
    .option('--name <name>', 'what the server is called here')
    .option('--url <url>', 'address of a remote server')
    .option('--env <KEY=value>', 'variable of the server; repeatable', collectPair)
    .option('--header <KEY=value>', 'header for a remote server; repeatable', collectPair)
    .option('--arg <name=value>', 'value of an argument of a server.json; repeatable', collectPair)
    .addOption(
      new Option('--package <kind>', 'which form of a server.json').choices([
        'npm',
        'pypi',
        'remote',
        'oci',
        'nuget',
      ]),
    )
    .option('--registry <url>', 'registry to ask instead of the official one')
    .option('--plain-secrets', 'write secrets into the file as they are given')
    .option('--no-try', 'do not start the server to see whether it works')
    .option('--project', 'write ./pml.json')
    .addOption(new Option('--config <path>', 'write this file').conflicts('project'))
    .option('--data-dir <path>', 'data directory')
    .option('--dry-run', 'show what would happen')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object; does not ask')
    .addHelpText('after', EXIT_CODES)
    .action(async (source: string, command: string[], flags: Flags) => {
      const { runAdd } = await import('./run-add.js');
      const { createAddIo } = await import('./add-io.js');
      const { try: isTried, ...rest } = flags;
      process.exitCode = await runAdd({ ...rest, source, command, isTried }, createAddIo());
    });
}

type Pairs = ReadonlyMap<string, readonly string[]>;

function collectPair(text: string, previous: Pairs = new Map()): Pairs {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected a name and a value with = between.');
  const name = text.slice(0, at);
  return new Map([...previous, [name, [...(previous.get(name) ?? []), text.slice(at + 1)]]]);
}
