/** What can follow the words of a command line. Reads commands as data; names come from the daemon. */
import type { Command, Option } from 'commander';

export type CompletionKind = 'servers' | 'tools' | 'capabilities' | 'runs';

/** Either words that fit as they are, or names that only the daemon knows. Neither: files. */
export interface Completion {
  readonly words: readonly string[];
  readonly kind?: CompletionKind;
  /** The options of this tool fit too. */
  readonly toolOptions?: string;
}

/** What the arguments of a command are, by its path; a subcommand not named here is as its command. */
const ARGUMENT_KINDS: Readonly<Record<string, CompletionKind>> = {
  logs: 'servers',
  'tools refresh': 'servers',
  'tools show': 'tools',
  'tools approve': 'tools',
  call: 'tools',
  'graph show': 'tools',
  'graph path': 'tools',
  show: 'runs',
  watch: 'runs',
  continue: 'runs',
  explain: 'runs',
  capabilities: 'capabilities',
};
const OPTION_KINDS: Readonly<Record<string, CompletionKind>> = { server: 'servers' };

/** `words` follow the name of the command; the last one is being written. */
export function completeCommand(command: Command, words: readonly string[]): Completion {
  const [first = '', ...rest] = words;
  const sub = rest.length > 0 ? command.commands.find((one) => one.name() === first) : undefined;
  if (sub) return complete(sub, `${command.name()} ${first}`, rest);
  const own = complete(command, command.name(), words);
  if (words.length > 1 || command.commands.length === 0) return own;
  return { ...own, words: [...command.commands.map((one) => one.name()), ...own.words] };
}

function complete(command: Command, path: string, words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const option = optionOf(command, before.at(-1) ?? '');
  if (option && takesValue(option)) return completeOption(option);
  const positionals = positionalsOf(command, before);
  if (current.startsWith('-')) {
    const options = command.options
      .filter(({ hidden }) => !hidden)
      .flatMap(({ long }) => long ?? []);
    const [tool] = path === 'call' ? positionals : [];
    return { words: [...options, '--help'], ...(tool !== undefined && { toolOptions: tool }) };
  }
  const argument = command.registeredArguments[positionals.length];
  if (!argument) return { words: [] };
  if (argument.argChoices) return { words: argument.argChoices };
  const kind = ARGUMENT_KINDS[path] ?? ARGUMENT_KINDS[path.split(' ')[0] ?? ''];
  // Only the first names something that exists, except where two are compared.
  const names = kind !== undefined && (positionals.length === 0 || path === 'graph path');
  return { words: [], ...(names && { kind }) };
}

function completeOption(option: Option): Completion {
  const kind = OPTION_KINDS[option.attributeName()];
  return { words: option.argChoices ?? [], ...(kind && { kind }) };
}

function optionOf({ options }: Command, word: string): Option | undefined {
  return options.find(({ long, short }) => word !== '' && (long === word || short === word));
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

function positionalsOf(command: Command, words: readonly string[]): readonly string[] {
  return words.filter((word, place) => {
    const before = optionOf(command, words[place - 1] ?? '');
    return !word.startsWith('-') && !(before && takesValue(before));
  });
}
