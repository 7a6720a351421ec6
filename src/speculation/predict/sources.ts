/** All columns that the next call may copy from, at one moment of a session. */
import type { ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { askedColumns } from './asked-columns.js';
import { type Column, LONGEST_VALUE, resultColumns, type Scalar } from './columns.js';
import { joinedColumns } from './joined-columns.js';
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
] as const;

export interface Source extends Column {
  readonly source: SourceClass;
  /** Stable over sessions: the tool and the place in its arguments or result. */
  readonly key: string;
  /** The last name of its path. */
  readonly name: string;
  /** Whether it belongs to the last call of the session. */
  readonly isLatest: boolean;
}

/** So many tools of the session, the latest called. */
const MOST_TOOLS = 8;
const MOST_SOURCES = 400;
const LOOP_CALLS = 40;

/** Undefined classes are all. For measuring what each is worth. */
export interface SourceOptions {
  readonly without?: ReadonlySet<string>;
}

export function sourcesAt(
  calls: readonly SessionCall[],
  intent: string,
  { without = new Set() }: SourceOptions = {},
): readonly Source[] {
  const byTool = latestTools(calls);
  const last = calls.at(-1)?.tool;
  const found: Source[] = [];
  for (const [tool, own] of byTool) {
    const isLatest = tool === last;
    const add = (source: SourceClass, columns: readonly Column[]) => {
      if (without.has(source)) return;
      for (const { path, values } of columns) {
        const key = `${source}:${tool}:${path}`;
        found.push({ source, key, path, values, isLatest, name: leafName(path) });
      }
    };
    add('arg', argColumns(own.at(-1)!));
    add('result', columnsOf(own.at(-1)!));
    if (own.length > 1) {
      add('loop', loopColumns(own));
      add('results', resultsColumns(own));
    }
  }
  if (!without.has('asked')) found.push(...askedSources(intent));
  if (!without.has('joined')) found.push(...joinedSources(found, calls, intent));
  return found.slice(0, MOST_SOURCES);
}

/** Latest called first. */
function latestTools(calls: readonly SessionCall[]): ReadonlyMap<ToolId, readonly SessionCall[]> {
  const byTool = new Map<ToolId, SessionCall[]>();
  for (let at = calls.length - 1; at >= 0; at--) {
    const call = calls[at]!;
    const own = byTool.get(call.tool);
    if (own) own.unshift(call);
    else if (byTool.size < MOST_TOOLS) byTool.set(call.tool, [call]);
  }
  return byTool;
}

function askedSources(intent: string): readonly Source[] {
  return askedColumns(intent).map((column) => ({
    ...column,
    source: 'asked',
    key: `asked:${column.path}`,
    name: '',
    isLatest: false,
  }));
}

function joinedSources(
  found: readonly Source[],
  calls: readonly SessionCall[],
  intent: string,
): readonly Source[] {
  return joinedColumns(found, calls.at(-1), askedColumns(intent)).map((column) => ({
    ...column,
    source: 'joined',
    key: `joined:${column.path}`,
    name: 'path',
    isLatest: false,
  }));
}

const RESULTS = new WeakMap<SessionCall, readonly Column[]>();

/** Of a call that failed, nothing but its message: that is not copied from. */
function columnsOf(call: SessionCall): readonly Column[] {
  const known = RESULTS.get(call);
  if (known) return known;
  const columns = resultColumns(call.output);
  RESULTS.set(call, columns);
  return columns;
}

function argColumns({ args }: SessionCall): readonly Column[] {
  const leaves = leavesOfArgs(args);
  if (!leaves) return [];
  return [...leaves].flatMap(([path, leaf]) =>
    isScalar(leaf) ? [{ path, values: [leaf] }] : [],
  );
}

function isScalar(leaf: unknown): leaf is Scalar {
  return typeof leaf === 'number' || (typeof leaf === 'string' && leaf.length <= LONGEST_VALUE);
}

/** The values of each argument, one after the other. */
function loopColumns(own: readonly SessionCall[]): readonly Column[] {
  return gathered(own.slice(-LOOP_CALLS).map(argColumns), '');
}

function resultsColumns(own: readonly SessionCall[]): readonly Column[] {
  return gathered(own.slice(-LOOP_CALLS).map(columnsOf), '');
}

/** The first value of each path in each of them; a value that comes again counts once. */
function gathered(all: readonly (readonly Column[])[], prefix: string): readonly Column[] {
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
    values.size > 1 ? [{ path: `${prefix}${path}`, values: [...values] }] : [],
  );
}
