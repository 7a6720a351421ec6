import { Command } from 'commander';

import { type CommandEntry, type CommandExample, COMMANDS, findCommand } from './commands.js';
import { exitOnUsage } from './help/usage.js';
import { tableColumns } from './print/columns.js';
import { fitLines, turnPagerOff } from './print/page.js';
import type { CommandLoaders } from './quick-commands.js';

/** Commander breaks the lines of help only where descriptions have this much room. */
const NARROWEST_HELP = 15;

/** What every command understands; read here, because it may stand anywhere. */
const EVERYWHERE = new Set(['--no-pager', '--no-color']);

/** Loads the one command that is asked for, and runs it. */
export async function runProgram(args: readonly string[], loaders: CommandLoaders): Promise<void> {
  // `pml tools | head` is no error.
  process.stdout.on('error', () => process.exit(0));
  if (args.includes('--no-pager')) turnPagerOff();
  // A line that is being completed is read as it is.
  const own = args[0] === '__complete' ? args : args.filter((one) => !EVERYWHERE.has(one));
  const [name = '', ...rest] = own[0] === 'help' ? [...own.slice(1), '--help'] : own;
  if (name === '__complete') {
    return (await import('./complete/complete.js')).printCompletions(rest, loaders);
  }
  const entry = findCommand(name);
  const load = loaders[name];
  if (!entry || !load) return refuse(name);
  const program = new Command('pml').exitOverride(exitOnUsage);
  program.addCommand(describe(await load(), entry));
  try {
    await program.parseAsync([name, ...rest], { from: 'user' });
  } catch (error) {
    const { explainFailure } = await import('./daemon/other-build.js');
    throw explainFailure(error);
  }
}

/** All of these commands with their options: for the documentation, and for tests. */
export async function createProgram(loaders: CommandLoaders): Promise<Command> {
  const program = new Command('pml');
  for (const entry of COMMANDS) {
    const command = await loaders[entry.name]?.();
    if (command) program.addCommand(describe(command, entry));
  }
  return program;
}

/** Gives a command its summary, its examples and the habits of all. */
function describe(command: Command, entry: CommandEntry): Command {
  command.description(entry.summary);
  const subcommands = new Set(command.commands.map((one) => one.name()));
  for (const one of [command, ...command.commands]) {
    const path = one === command ? entry.name : `${entry.name} ${one.name()}`;
    // Added commands do not inherit it.
    one.configureHelp({ minWidthToWrap: NARROWEST_HELP });
    // It wraps its own parts of the help; examples and exit codes are ours.
    one.configureOutput({
      writeOut: (text) => process.stdout.write(fitLines([text], tableColumns()).join('\n')),
    });
    one.exitOverride(exitOnUsage).showHelpAfterError('(add --help for the options)');
    const text = describeExamples(examplesOf(entry, path, subcommands));
    if (text !== '') one.addHelpText('after', text);
  }
  return command;
}

/** Of a command those of its subcommands too; of a subcommand its own. */
export function examplesOf(
  { name, examples }: Pick<CommandEntry, 'name' | 'examples'>,
  path: string,
  subcommands: ReadonlySet<string>,
): readonly CommandExample[] {
  if (path === name) return examples;
  const subcommandOf = (line: string) => line.split(' ').find((word) => subcommands.has(word));
  return examples.filter(({ line }) => `${name} ${subcommandOf(line) ?? ''}` === path);
}

function describeExamples(examples: readonly CommandExample[]): string {
  if (examples.length === 0) return '';
  const lines = examples.flatMap(({ line, does }) => [`  pml ${line}`, `      ${does}`]);
  return ['', 'Examples:', ...lines].join('\n');
}

async function refuse(name: string): Promise<void> {
  const { closestWord } = await import('../core/names/edit-distance.js');
  const meant = closestWord(
    name,
    COMMANDS.map((one) => one.name),
  );
  const hint = meant ? `Did you mean pml ${meant}?` : 'pml --help lists all commands.';
  process.stderr.write(`pml: there is no command "${name}". ${hint}\n`);
  process.exitCode = 2;
}
