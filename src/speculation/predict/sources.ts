/** All columns that the next call may copy from, at one moment of a session. */
import type { ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { askedColumns } from './columns/asked-columns.js';
import { type CopyColumn, LONGEST_VALUE, type Scalar } from './columns/column.js';
import { resultColumns } from './columns/columns.js';
import { joinedColumns } from './columns/joined-columns.js';
import { wordsOfNames } from './columns/words-of-names.js';
import { leafName, leavesOfArgs } from './leaves.js';

/** What kind of place a column is. The order is that of `SOURCE_CLASSES`. */
export type SourceClass = (typeof SOURCE_CLASSES)[number];

export const SOURCE_CLASSES = [
  /** An argument of the latest call of a tool. */
  'arg',
  /** An argument of all calls of a tool in this session: what a loop went over. */
  'loop',
  /** The latest result of a tool. */
  'result',
  /** The first results of the calls that a tool got in this session. */
  'results',
  /** The request. */
  'asked',
  /** A folder and a name. */
  'joined',
  /** One word of each name in the latest result of a tool. */
  'part',
] as const;

export interface CopySource extends CopyColumn {
  readonly source: SourceClass;
  /** Stable over sessions: the tool and the place in its arguments or result. */
  readonly key: string;
  /** The last name of its path. */
  readonly name: string;
  /** Whose call it belongs to. */
  readonly tool?: ToolId;
}

/** So many tools of the session, the latest called. */
const MOST_TOOLS = 8;
const MOST_SOURCES = 400;
const LOOP_CALLS = 40;

/** Classes that are left out, to measure what each is worth. */
export interface SourceOptions {
  readonly without?: ReadonlySet<string>;
}

export function sourcesAt(
  calls: readonly SessionCall[],
  intent: string,
  { without }: SourceOptions = {},
): readonly CopySource[] {
  const found: CopySource[] = [];
  for (const own of latestTools(calls).values()) found.push(...callSources(own));
  found.push(...askedSources(intent));
  found.push(...joinedSources(found, calls, intent));
  const used = without ? found.filter(({ source }) => !without.has(source)) : found;
  return used.length > MOST_SOURCES ? used.slice(0, MOST_SOURCES) : used;
}

/** What is there after a call stays the same, however often it is asked for. */
const KNOWN = new WeakMap<SessionCall, readonly CopySource[]>();

/** Of the calls that one tool got, oldest first. */
function callSources(own: readonly SessionCall[]): readonly CopySource[] {
  const last = own.at(-1)!;
  const known = KNOWN.get(last);
  if (known) return known;
  const found = [
    ...asSources('arg', last.tool, argColumns(last)),
    ...asSources('result', last.tool, columnsOf(last)),
    ...asSources('part', last.tool, wordsOfNames(columnsOf(last))),
    ...(own.length > 1
      ? [
          ...asSources('loop', last.tool, gathered(own.slice(-LOOP_CALLS).map(argColumns))),
          ...asSources('results', last.tool, gathered(own.slice(-LOOP_CALLS).map(columnsOf))),
        ]
      : []),
  ];
  KNOWN.set(last, found);
  return found;
}

function asSources(
  source: SourceClass,
  tool: ToolId,
  columns: readonly CopyColumn[],
): readonly CopySource[] {
  return columns.map(({ path, values }) => {
    return { source, tool, path, values, key: `${source}:${tool}:${path}`, name: leafName(path) };
  });
}

/** Latest called first. */
function latestTools(calls: readonly SessionCall[]): ReadonlyMap<ToolId, readonly SessionCall[]> {
  const byTool = new Map<ToolId, SessionCall[]>();
  for (let at = calls.length - 1; at >= 0; at--) {
    const call = calls[at]!;
    const own = byTool.get(call.tool);
    if (own) own.push(call);
    else if (byTool.size < MOST_TOOLS) byTool.set(call.tool, [call]);
  }
  for (const own of byTool.values()) own.reverse();
  return byTool;
}

function askedSources(intent: string): readonly CopySource[] {
  return askedColumns(intent).map((column) => ({
    ...column,
    source: 'asked',
    key: `asked:${column.path}`,
    name: '',
  }));
}

function joinedSources(
  found: readonly CopySource[],
  calls: readonly SessionCall[],
  intent: string,
): readonly CopySource[] {
  return joinedColumns(found, calls.at(-1), askedColumns(intent)).map((column) => ({
    ...column,
    source: 'joined',
    key: `joined:${column.path}`,
    name: 'path',
  }));
}

const RESULTS = new WeakMap<SessionCall, readonly CopyColumn[]>();

/** Of a call that failed, nothing but its message: that is not copied from. */
function columnsOf(call: SessionCall): readonly CopyColumn[] {
  const known = RESULTS.get(call);
  if (known) return known;
  const columns = resultColumns(call.output);
  RESULTS.set(call, columns);
  return columns;
}

function argColumns({ args }: SessionCall): readonly CopyColumn[] {
  const leaves = leavesOfArgs(args);
  if (!leaves) return [];
  return [...leaves].flatMap(([path, leaf]) => (isScalar(leaf) ? [{ path, values: [leaf] }] : []));
}

function isScalar(leaf: unknown): leaf is Scalar {
  return typeof leaf === 'number' || (typeof leaf === 'string' && leaf.length <= LONGEST_VALUE);
}

/** The first value of each path in each of them; a value that comes again counts once. */
function gathered(all: readonly (readonly CopyColumn[])[]): readonly CopyColumn[] {
  const byPath = new Map<string, Set<Scalar>>();
  for (const columns of all) {
    for (const { path, values } of columns) {
      const [first] = values;
      if (first === undefined) continue;
      const own = byPath.get(path);
      if (own) own.add(first);
      else byPath.set(path, new Set([first]));
    }
  }
  return [...byPath].flatMap(([path, values]) =>
    values.size > 1 ? [{ path, values: [...values] }] : [],
  );
}
