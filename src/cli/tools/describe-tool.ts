import pc from 'picocolors';

import type { ListedTool } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { heading } from '../print/print.js';
import { table } from '../print/table.js';
import { flagsOf, type ToolFlag } from './tool-flags.js';

/** All that a user wants to know before they call a tool. */
export function describeTool(tool: ListedTool, columns?: number): readonly string[] {
  const { definition, status } = tool;
  const { description = '' } = definition;
  const flags = flagsOf(definition.inputSchema);
  return [
    `${pc.bold(visible(tool.id))}${status === 'active' ? '' : `  ${pc.yellow(status)}`}`,
    ...description.trim().split(/\r?\n/).map(visible),
    ...section('parameters', flagRows(flags, columns)),
    ...section('hints', hintsOf(tool)),
    ...section('example', [exampleCall(tool.id, flags)]),
  ];
}

/** The options of `pml call` for one tool. */
export function describeToolOptions(tool: ListedTool, columns?: number): readonly string[] {
  const flags = flagsOf(tool.definition.inputSchema);
  return [
    `Usage: pml call ${visible(tool.id)} [options]`,
    ...section('Options of the tool:', flagRows(flags, columns)),
    '',
    'Options of every call: --args <json>, --approve <when>, --no-wait, --json; pml call --help',
  ];
}

function flagRows(flags: readonly ToolFlag[], columns?: number): readonly string[] {
  if (flags.length === 0) return [];
  const rows = flags.map(({ param, type, isRequired, description, choices }) => [
    `--${visible(param)}`,
    choices.length > 0 ? choices.map(visible).join('|') : type,
    isRequired ? 'required' : '',
    visible(description),
  ]);
  return table(rows, columns === undefined ? undefined : columns - 2).split('\n');
}

function hintsOf({ definition }: ListedTool): readonly string[] {
  return Object.entries(definition.annotations ?? {})
    .filter(([, value]) => value === true)
    .flatMap(([key]) => HINTS[key] ?? []);
}

const HINTS: Readonly<Record<string, string>> = {
  readOnlyHint: 'it only reads, says its server',
  destructiveHint: 'it may destroy something, says its server',
  idempotentHint: 'calling it twice changes nothing more, says its server',
};

function exampleCall(id: string, flags: readonly ToolFlag[]): string {
  const needed = flags.filter(({ isRequired }) => isRequired);
  const words = needed.map(({ param, type }) => `--${visible(param)} <${type}>`);
  return ['pml call', visible(id), ...words].join(' ');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', heading(title), ...lines.map((line) => `  ${line}`)];
}
