import * as z from 'zod';

import {
  canonicalJson,
  type EarlierCall,
  type ExecutionTrace,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_JSON_LEVELS,
  nestsDeeper,
  type PastBinding,
  type PastCall,
  type ToolId,
} from '../../core/index.js';
import { contentHash } from '../../tool-text/index.js';
import { SESSION_CALLS } from '../decisions/session-window.js';

export interface ReadTraceOptions {
  /** The tool a text means, or undefined. */
  readonly resolve: (text: string) => ToolId | undefined;
  /** When executions that do not say so took place. */
  readonly now: Date;
  /** What may be kept of the arguments of a call. Without it they are not read. */
  readonly keepArgs?: (args: JsonObject) => JsonObject;
}

export interface TraceRows {
  readonly traces: readonly ExecutionTrace[];
  /** What cannot be used, by the place of its row, from 0. */
  readonly problems: readonly { readonly row: number; readonly problem: string }[];
  /** Tools that no server has; calls of them are left out. */
  readonly unknownTools: ReadonlySet<string>;
}

const common = { id: z.coerce.string().optional(), group: z.string().optional() };
const at = z.union([z.null(), z.coerce.date()]).optional();

/** An execution as we write it ourselves. */
const OwnRow = z.object({
  ...common,
  intent: z.string(),
  at,
  ok: z.boolean().default(true),
  calls: z.array(
    z.object({
      tool: z.string(),
      ok: z.boolean().default(true),
      ms: z.number().optional(),
      args: z.custom<JsonObject>(isJsonObject, 'expected an object').optional(),
    }),
  ),
  /** What was called shortly before, newest last. */
  before: z.array(z.object({ tool: z.string(), ok: z.boolean().default(true) })).optional(),
});

/** A request and the tools that serve it: each of `gold`, where any of its ids will do. */
const RequestRow = z.object({
  ...common,
  query: z.string(),
  gold: z.array(z.array(z.string()).min(1)).default([]),
  order: z.array(z.string()).nullish(),
  edges: z
    .array(
      z.object({
        s: z.string(),
        t: z.string(),
        field: z.string().nullish(),
        param: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** A recorded run of an agent: what it looked for, and what it called. */
const RunRow = z.object({
  ...common,
  query: z.string(),
  at,
  success: z.boolean().nullish(),
  events: z.array(
    z.looseObject({
      type: z.string(),
      query: z.string().nullish(),
      tool: z.string().nullish(),
      /** As an object, or as its JSON. */
      params: z.unknown().optional(),
      error: z.unknown().optional(),
    }),
  ),
});

/** Reads rows of any form above. A row that cannot be read is reported; the others are used. */
export function readTraces(rows: readonly unknown[], options: ReadTraceOptions): TraceRows {
  const traces: ExecutionTrace[] = [];
  const problems: { row: number; problem: string }[] = [];
  const unknownTools = new Set<string>();
  const resolve = (text: string): ToolId | undefined => {
    const tool = options.resolve(text);
    if (!tool) unknownTools.add(text);
    return tool;
  };
  rows.forEach((row, place) => {
    try {
      const read = readRow(row, { ...options, resolve });
      traces.push(...read.filter(({ calls }) => calls.length > 0));
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      const [issue] = error.issues;
      problems.push({
        row: place,
        problem: `${issue?.path.join('.') || 'row'}: ${issue?.message}`,
      });
    }
  });
  return { traces, problems, unknownTools };
}

function readRow(row: unknown, options: ReadTraceOptions): readonly ExecutionTrace[] {
  if (!isJsonObject(row)) return [fromOwn(OwnRow.parse(row), '', options)];
  if (nestsDeeper(row, MOST_JSON_LEVELS)) throw new z.ZodError([tooDeep(row)]);
  const id = idOf(row);
  if ('events' in row) return fromRun(RunRow.parse(row), id, options);
  if ('query' in row) return [fromRequest(RequestRow.parse(row), id, options)];
  return [fromOwn(OwnRow.parse(row), id, options)];
}

const tooDeep = (input: JsonObject): z.core.$ZodIssue => ({
  code: 'custom',
  path: [],
  message: `nests deeper than ${MOST_JSON_LEVELS} levels`,
  input,
});

/** The same row is the same execution, however often it is read. */
function idOf(row: JsonObject): string {
  return `import-${contentHash(canonicalJson(row as JsonValue)).slice(0, 32)}`;
}

function fromOwn(
  row: z.infer<typeof OwnRow>,
  id: string,
  { resolve, now, keepArgs }: ReadTraceOptions,
): ExecutionTrace {
  const calls = row.calls.flatMap(({ tool: text, ok, ms, args }): PastCall[] => {
    const tool = resolve(text);
    return tool ? [{ tool, ok, ...(ms !== undefined && { ms }), ...keptArgs(args, keepArgs) }] : [];
  });
  const before = row.before?.slice(-SESSION_CALLS).flatMap(({ tool: text, ok }): EarlierCall[] => {
    const tool = resolve(text);
    return tool ? [{ tool, ok }] : [];
  });
  return {
    id,
    intent: row.intent,
    at: row.at ?? now,
    source: 'import',
    ok: row.ok,
    calls,
    bindings: [],
    ...(row.group !== undefined && { group: row.group }),
    ...(before && before.length > 0 && { before }),
  };
}

function fromRequest(
  { query, gold, order, edges, group }: z.infer<typeof RequestRow>,
  id: string,
  { resolve, now }: ReadTraceOptions,
): ExecutionTrace {
  const texts = order && order.length > 0 ? order : gold.map(([first]) => first!);
  const calls = texts.flatMap((text): PastCall[] => {
    const tool = resolve(text);
    return tool ? [{ tool, ok: true }] : [];
  });
  const placeOf = (text: string) => calls.findIndex(({ tool }) => tool === resolve(text));
  const bindings = (edges ?? []).flatMap(({ s, t, field, param }): PastBinding[] => {
    const [from, to] = [placeOf(s), placeOf(t)];
    if (from < 0 || to < 0 || from === to) return [];
    return [{ from, to, ...(field && { field }), ...(param && { param }) }];
  });
  const own = { id, intent: query, at: now, source: 'import' as const, ok: true };
  return { ...own, calls, bindings, ...(group !== undefined && { group }) };
}

/** What an agent looked for, what it called then, and what it had called by then. */
interface Search {
  readonly query: string;
  readonly calls: PastCall[];
  readonly before: readonly EarlierCall[];
}

/** The run as a whole, and each thing the agent looked for with what it called next. */
function fromRun(
  { query, at: when, success, events, group }: z.infer<typeof RunRow>,
  id: string,
  { resolve, now, keepArgs }: ReadTraceOptions,
): readonly ExecutionTrace[] {
  const all: PastCall[] = [];
  const searches: Search[] = [];
  for (const { type, query: sought, tool: text, params, error } of events) {
    if (type === 'route' && sought) {
      const before = all.slice(-SESSION_CALLS).map(({ tool, ok }) => ({ tool, ok }));
      searches.push({ query: sought, calls: [], before });
    }
    const tool = type === 'exec' && text ? resolve(text) : undefined;
    if (!tool) continue;
    const call = { tool, ok: !error, ...keptArgs(readParams(params), keepArgs) };
    all.push(call);
    searches.at(-1)?.calls.push(call);
  }
  const common = { at: when ?? now, source: 'import' as const, bindings: [], group: group ?? id };
  const parts = searches.map(({ query: intent, calls, before }, place) => ({
    ...common,
    ...(before.length > 0 && { before }),
    id: `${id}-${place}`,
    intent,
    ok: calls.some(({ ok }) => ok),
    calls,
  }));
  return [{ ...common, id, intent: query, ok: success !== false, calls: all }, ...parts];
}

function keptArgs(
  args: JsonObject | undefined,
  keep: ReadTraceOptions['keepArgs'],
): Pick<PastCall, 'args'> {
  const kept = args && keep?.(args);
  return kept && Object.keys(kept).length > 0 ? { args: kept } : {};
}

/** Recorders cut long arguments off: what is no JSON any more tells nothing. */
function readParams(params: unknown): JsonObject | undefined {
  if (isJsonObject(params)) return params;
  if (typeof params !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(params);
    return isJsonObject(read) && !nestsDeeper(read, MOST_JSON_LEVELS) ? read : undefined;
  } catch {
    return undefined;
  }
}
