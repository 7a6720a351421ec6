import type { Command, Option } from 'commander';

import { ALL_COMMANDS } from '../../src/cli/all-commands.js';
import { createProgram } from '../../src/cli/program.js';
import { tableOf } from './table.js';

/** Options that nearly every command has; the page explains them once. */
const COMMON = new Set(['--config', '--data-dir', '--json', '--help', '--version']);

/** Every command with its arguments and options, as its own help knows them. */
export async function commandTables(): Promise<string> {
  const program = await Promise.resolve(createProgram(ALL_COMMANDS));
  const commands = shownCommands(program);
  const overview = tableOf(
    ['command', 'does'],
    commands.map((one) => [`[\`pml ${one.name()}\`](#pml-${one.name()})`, one.description()]),
  );
  return [overview, ...commands.flatMap(describe)].join('\n\n');
}

function describe(command: Command): string[] {
  const rows = [command, ...shownCommands(command)].filter(
    (one) => one === command || one.name() !== 'help',
  );
  return [
    `### \`pml ${command.name()}\``,
    tableOf(
      ['usage', 'does', 'options'],
      rows.map((one) => [`\`${usageOf(one)}\``, sentence(one), optionsOf(one)]),
    ),
  ];
}

function shownCommands(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
}

function usageOf(command: Command): string {
  const names: string[] = [];
  for (let one: Command | null = command; one; one = one.parent) names.unshift(one.name());
  const args = command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? '…' : ''}`;
    return one.required ? `<${name}>` : `[${name}]`;
  });
  return [...names, ...args].join(' ');
}

function sentence(command: Command): string {
  const args = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((one) => `\`${one.name()}\`: ${one.description}${choicesOf(one.argChoices)}`);
  return [command.description(), ...args].join('. ');
}

function optionsOf(command: Command): string {
  const own = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => !COMMON.has(long ?? ''));
  return own.length === 0 ? '–' : own.map(optionText).join('; ');
}

function optionText(option: Option): string {
  const { flags, description, argChoices, defaultValue } = option;
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean';
  const fallback = isShown ? ` (default: \`${String(defaultValue)}\`)` : '';
  return `\`${flags}\` ${description}${choicesOf(argChoices)}${fallback}`;
}

function choicesOf(choices: readonly string[] | undefined): string {
  return choices ? ` (${choices.map((one) => `\`${one}\``).join(', ')})` : '';
}
