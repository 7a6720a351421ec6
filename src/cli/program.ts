import { Command } from 'commander';

import { type CommandEntry, type CommandExample, COMMANDS, findCommand } from './commands.js';
import { exitOnUsage } from './help/usage.js';

/** Commander breaks the lines of help only where descriptions have this much room. */
const NARROWEST_HELP = 15;

/** What every command understands; read here, because it may stand anywhere. */
const EVERYWHERE = new Set(['--no-pager', '--no-color']);

/** Loads the one command that is asked for, and runs it. */
export async function runProgram(args: readonly string[]): Promise<void> {
  // `pml tools | head` is no error.
  process.stdout.on('error', () => process.exit(0));
  if (args.includes('--no-pager')) (await import('./print/page.js')).turnPagerOff();
  // A line that is being completed is read as it is.
  const own = args[0] === '__complete' ? args : args.filter((one) => !EVERYWHERE.has(one));
  const [name = '', ...rest] = own[0] === 'help' ? [...own.slice(1), '--help'] : own;
  if (name === '__complete') return (await import('./complete/complete.js')).printCompletions(rest);
  const entry = findCommand(name);
  if (!entry) return refuse(name);
  const program = new Command('pml').exitOverride(exitOnUsage);
  program.addCommand(await loadCommand(entry));
  try {
    await program.parseAsync([name, ...rest], { from: 'user' });
  } catch (error) {
    const { explainFailure } = await import('./daemon/other-build.js');
    throw explainFailure(error);
  }
}

/** All commands with their options: for the documentation, and for tests. */
export async function createProgram(): Promise<Command> {
  const program = new Command('pml');
  for (const entry of COMMANDS) program.addCommand(await loadCommand(entry));
  return program;
}

async function loadCommand(entry: CommandEntry): Promise<Command> {
  const command = (await entry.load()).description(entry.summary);
  const subcommands = new Set(command.commands.map((one) => one.name()));
  for (const one of [command, ...command.commands]) {
    const path = one === command ? entry.name : `${entry.name} ${one.name()}`;
    // Added commands do not inherit it.
    one.configureHelp({ minWidthToWrap: NARROWEST_HELP });
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
