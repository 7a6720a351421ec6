import pc from 'picocolors';

import type { CapabilityDetails, LockedTool, VersionRow } from '../../control/index.js';
import type { JsonValue } from '../../core/index.js';
import { asText, isJsonObject } from '../../core/json.js';
import { visible } from '../../core/visible-text.js';
import { propertiesOf, requiredOf } from '../../schema/keywords.js';
import { formatMs, localTime } from '../print/format-time.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';
import { paintCapability, percent } from './describe-table.js';

const INDENT = '  ';

/** All details of one capability. */
export function describeCapability(one: CapabilityDetails): readonly string[] {
  const { name, description, aliases, intents, steps, code, lock, versions } = one;
  return [
    `${pc.bold(visible(name))}  ${paintCapability(one)}`,
    ...describeReason(one),
    visible(description),
    ...names('formerly', aliases),
    '',
    INDENT + visible(one.signature),
    ...section('parameters', describeParameters(one)),
    ...section('steps', steps.map(visible)),
    ...section('calls of the last proof', describeInvocations(one)),
    ...section('code', codeLines(code)),
    ...section('tools it was proven with', lock.flatMap(describeLocked)),
    ...section(
      'calls',
      one.contains.map((called) => visible(`cap.${called}`)),
    ),
    ...section(
      'called by',
      one.containedBy.map((caller) => visible(`cap.${caller}`)),
    ),
    ...section('versions', rowsOf(versions.map(versionCells))),
    ...section('wanted for', intents.map(visible)),
    ...section('uses', [describeUses(one)]),
  ];
}

function describeReason({ reason, cause }: CapabilityDetails): readonly string[] {
  if (reason === undefined) return [];
  // Each change of a definition gets its own line.
  const lines = cause === 'definitions' ? reason.split('; ') : [reason];
  return lines.map((line) => pc.yellow(INDENT + visible(line)));
}

function describeParameters({ parameters }: CapabilityDetails): readonly string[] {
  const needed = new Set(requiredOf(parameters));
  const rows = Object.entries(propertiesOf(parameters)).map(([name, schema]) => {
    const { type, description, default: preset } = isJsonObject(schema) ? schema : {};
    const how = preset === undefined ? '' : `default ${JSON.stringify(preset)}`;
    return [
      name,
      typeOf(type),
      needed.has(name) ? 'required' : how,
      typeof description === 'string' ? description : '',
    ].map(visible);
  });
  return rowsOf(rows);
}

/** Start and duration of each call; calls inside a capability stand below it. */
function describeInvocations({ invocations = [] }: CapabilityDetails): readonly string[] {
  const depths = new Map<string, number>();
  const rows = invocations.map(({ call, startMs, ms, ok, parent }) => {
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(call, depth);
    const cells = [INDENT.repeat(depth) + call, `+${formatMs(startMs)}`, formatMs(ms)].map(visible);
    return ok ? cells : [...cells, pc.yellow('failed')];
  });
  return rowsOf(rows);
}

function typeOf(type: JsonValue | undefined): string {
  return Array.isArray(type) ? type.map(asText).join(' | ') : asText(type) || 'any';
}

function describeLocked({ tool, hash, state, diff }: LockedTool): readonly string[] {
  const paint = state === 'same' ? pc.dim : pc.yellow;
  return [
    `${visible(tool)} ${paint(`${visible(hash.slice(0, 12))} ${STATES[state]}`)}`,
    ...diff.map((line) => INDENT + visible(line)),
  ];
}

const STATES: Readonly<Record<LockedTool['state'], string>> = {
  same: 'unchanged',
  changed: 'changed since',
  gone: 'gone',
  unknown: 'not listed yet',
};

function versionCells({ version, isCurrent, uses, successes, origin, at, run = '' }: VersionRow) {
  return [
    isCurrent ? pc.green(`${version} in use`) : String(version),
    `${origin} ${localTime(at)}`,
    `${count(successes)} of ${count(uses)} worked`,
    visible(run),
  ];
}

function describeUses(one: CapabilityDetails): string {
  const { uses, successes, failuresInRow, averageMs, lastUsed, reliability } = one;
  return [
    `${count(successes)} of ${count(uses)} worked`,
    `reliability ${percent(reliability)}`,
    ...(failuresInRow > 0 ? [`the last ${count(failuresInRow)} failed`] : []),
    `${formatMs(averageMs)} on average`,
    ...(lastUsed === undefined ? [] : [`last ${localTime(lastUsed)}`]),
  ].join(', ');
}

/** Keeps line breaks and tabs as layout; escapes all other invisible characters. */
function codeLines(code: string): readonly string[] {
  return code
    .trim()
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll('\t', INDENT)));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return ['', heading(title), ...lines.map((line) => (INDENT + line).trimEnd())];
}

function names(title: string, all: readonly string[]): readonly string[] {
  return all.length === 0 ? [] : [pc.dim(`${title} ${visible(all.join(', '))}`)];
}

function rowsOf(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : table(rows).split('\n');
}
