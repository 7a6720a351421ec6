import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';

import { ALL_COMMANDS } from './all-commands.js';
import { COMMANDS } from './commands.js';
import { describeCommands } from './help/describe-commands.js';
import { describeOverview } from './help/overview.js';
import { createProgram, examplesOf } from './program.js';

let program: Command;

beforeAll(async () => {
  program = await createProgram(ALL_COMMANDS);
});

// covers: CLI-HELP
describe('the table of commands', () => {
  test('the table of commands describes every command, subcommand, argument and option', async () => {
    const commands = await describeCommands();
    const silent = commands.filter(({ description }) => description === '');
    const bare = commands.flatMap(({ command, options }) =>
      options.filter((one) => one.description === '').map(({ flags }) => `${command} ${flags}`),
    );

    expect(commands.length).toBeGreaterThan(45);
    expect(silent).toEqual([]);
    expect(bare).toEqual([]);
    expect(commands.find(({ command }) => command === 'tools show')).toMatchObject({
      group: 'Tools',
      usage: 'pml tools show [options] <tool>',
      examples: [{ line: 'tools show github:create_issue' }],
    });
  });

  test('every command has an example that names an existing command and existing options', () => {
    const wrong = COMMANDS.flatMap(({ name, examples }) => {
      const command = program.commands.find((one) => one.name() === name);
      return examples.flatMap(({ line }) => {
        // What follows `--` belongs to another program.
        const [own = ''] = line.split(' -- ');
        const words = own.split(' ');
        const sub = command?.commands.find((one) => one.name() === words[1]);
        const known = [command, sub].flatMap((one) => one?.options ?? []);
        const options = words.filter((word) => word.startsWith('-'));
        const isKnown = (word: string) =>
          word === '--help' || known.some(({ long, short }) => long === word || short === word);
        // The options of a call are those of its tool.
        const isFree = name === 'call';
        return words[0] === name && (isFree || options.every(isKnown)) ? [] : [line];
      });
    });

    expect(COMMANDS.filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('an example belongs to its command and to the subcommand that it names', () => {
    const tools = COMMANDS.find(({ name }) => name === 'tools')!;
    const subcommands = new Set(['show', 'changes']);

    expect(examplesOf(tools, 'tools', subcommands)).toBe(tools.examples);
    expect(examplesOf(tools, 'tools changes', subcommands)).toMatchObject([
      { line: 'tools changes' },
    ]);
  });

  test('every command that prints data has --json', () => {
    const silent = new Set([
      'serve',
      'logs',
      'completion',
      // Groups of subcommands.
      'service',
      'capabilities',
      'metrics',
      'graph',
    ]);
    const without = program.commands
      .flatMap((one) => [one, ...one.commands])
      .filter(
        (one) => !silent.has(one.name()) && !one.options.some(({ long }) => long === '--json'),
      )
      .map((one) => `${one.parent?.name()} ${one.name()}`);

    expect(without).toEqual([]);
  });
});

test.each([60, 80, 120])(
  'the help of pml fits into %i columns and names every command',
  (columns) => {
    const lines = describeOverview(columns);

    expect(lines.filter(({ length }) => length > columns)).toEqual([]);
    for (const { name } of COMMANDS) expect(lines.join('\n')).toContain(`\n  ${name}`);
  },
);
