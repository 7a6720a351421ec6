import {
  type EarlierCall,
  type ErrorType,
  type ExecutionTrace,
  type JsonObject,
  type Origin,
  type PastBinding,
  type PastCall,
  type PastDecision,
  type PastPart,
  PmlError,
  type Principal,
  type RunId,
  type ToolId,
} from '../../core/index.js';
import { storable } from './storable-text.js';

/** One execution as it is read: calls and bindings as JSON, so that it is one row. */
export interface TraceRow {
  readonly id: string;
  readonly intent: string;
  readonly at: Date;
  readonly source: ExecutionTrace['source'];
  readonly ok: boolean;
  readonly group_name: string | null;
  readonly run: string | null;
  readonly ms: number | null;
  readonly decisions: string | null;
  /** `[tool, ok]` of each. */
  readonly called_before: string | null;
  readonly has_origins: boolean | null;
  readonly owner: string | null;
  /** `[tool, ok, ms, start_ms, parent, error_type, args, origins, error_message]` of each. */
  readonly calls: string | null;
  /** `[producer, consumer, field, param, part, origin]` of each. */
  readonly bindings: string | null;
}

type CallCells = [
  tool: ToolId,
  ok: boolean,
  ms: number | null,
  startMs: number | null,
  parent: number | null,
  errorType: ErrorType | null,
  args: JsonObject | null,
  origins: PastCall['origins'] | null,
  errorMessage: string | null,
];
type EarlierCells = [tool: ToolId, ok: boolean];
type BindingCells = [
  producer: number,
  consumer: number,
  field: string | null,
  param: string | null,
  part: PastPart | null,
  origin: Origin | null,
];

/**
 * As they are stored and read, one for each id and one for each run, in order of the ids: machines
 * that add the same ones at once then take turns.
 */
export function uniqueTraces(traces: readonly ExecutionTrace[]): readonly ExecutionTrace[] {
  const byId = new Map<string, ExecutionTrace>();
  const runs = new Set<string>();
  for (const trace of traces.map(storableTrace)) {
    const { id, run } = trace;
    if (byId.has(id) || (run !== undefined && runs.has(run))) continue;
    byId.set(id, trace);
    if (run !== undefined) runs.add(run);
  }
  return [...byId.keys()].toSorted().map((id) => byId.get(id)!);
}

function storableTrace(trace: ExecutionTrace): ExecutionTrace {
  const { run, group, decisions, before } = trace;
  return {
    ...trace,
    id: storable(trace.id),
    intent: storable(trace.intent),
    calls: trace.calls.map(storableCall),
    bindings: trace.bindings.map(storableBinding),
    ...(run !== undefined && { run: storable(run) as RunId }),
    ...(group !== undefined && { group: storable(group) }),
    ...(decisions && {
      // Named as the calls are, so that the two can be compared.
      decisions: decisions.map(({ tools, ...decision }) => ({
        ...decision,
        tools: tools.map((tool) => storable(tool) as ToolId),
      })),
    }),
    ...(before && {
      before: before.map(({ tool, ok }) => ({ tool: storable(tool) as ToolId, ok })),
    }),
  };
}

function storableCall({ errorMessage, ...call }: PastCall): PastCall {
  return {
    ...call,
    tool: storable(call.tool) as ToolId,
    ...(errorMessage !== undefined && { errorMessage: storable(errorMessage) }),
  };
}

function storableBinding({ field, param, ...places }: PastBinding): PastBinding {
  return {
    ...places,
    ...(field !== undefined && { field: storable(field) }),
    ...(param !== undefined && { param: storable(param) }),
  };
}

/** The database would refuse them too, but could not say it in words. */
export function checkPlaces({ id, calls, bindings }: ExecutionTrace): void {
  const isPlace = (place: number) => place in calls;
  const wrong = bindings.find(({ from, to }) => !isPlace(from) || !isPlace(to));
  if (wrong !== undefined) {
    throw new PmlError(
      'BAD_REQUEST',
      `Execution ${id} has a value that went from call ${wrong.from} to call ${wrong.to}, ` +
        `but its ${calls.length} calls are numbered from 0. Nothing was stored.`,
    );
  }
  for (const [place, { parent }] of calls.entries()) {
    if (parent === undefined || (isPlace(parent) && parent < place)) continue;
    throw new PmlError(
      'BAD_REQUEST',
      `Call ${place} of execution ${id} says that call ${parent} made it, ` +
        'but only a call before it can have done so. Nothing was stored.',
    );
  }
}

/** Rough size of what is sent for one execution, in bytes. */
export function traceSize(trace: ExecutionTrace): number {
  const { intent, calls, bindings, decisions = [], before = [] } = trace;
  const rows = calls.length + bindings.length + decisions.length + before.length;
  const written = sum(calls.map(argsSize)) + sum(bindings.map(partSize));
  return 200 + intent.length + 150 * rows + written;
}

function argsSize({ args, origins }: PastCall): number {
  return (args ? JSON.stringify(args).length : 0) + (origins ? JSON.stringify(origins).length : 0);
}

function partSize({ part }: PastBinding): number {
  return part ? JSON.stringify(part).length : 0;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

export function traceColumns(traces: readonly ExecutionTrace[]) {
  return {
    id: traces.map(({ id }) => id),
    intent: traces.map(({ intent }) => intent),
    at: traces.map(({ at }) => at.toISOString()),
    source: traces.map(({ source }) => source),
    ok: traces.map(({ ok }) => ok),
    group: traces.map(({ group }) => group ?? null),
    run: traces.map(({ run }) => run ?? null),
    ms: traces.map(({ ms }) => ms ?? null),
    decisions: traces.map(({ decisions }) => (decisions ? JSON.stringify(decisions) : null)),
    before: traces.map(({ before }) =>
      before ? JSON.stringify(before.map(toEarlierCells)) : null,
    ),
    hasOrigins: traces.map(({ hasOrigins }) => hasOrigins ?? null),
    owner: traces.map(({ owner }) => owner ?? null),
  };
}

export function callColumns(traces: readonly ExecutionTrace[]) {
  const rows = traces.flatMap(({ id, calls }) =>
    calls.map((call, position) => ({ id, position, ...call })),
  );
  return {
    trace: rows.map(({ id }) => id),
    position: rows.map(({ position }) => position),
    tool: rows.map(({ tool }) => tool),
    ok: rows.map(({ ok }) => ok),
    ms: rows.map(({ ms }) => ms ?? null),
    startMs: rows.map(({ startMs }) => startMs ?? null),
    parent: rows.map(({ parent }) => parent ?? null),
    errorType: rows.map(({ errorType }) => errorType ?? null),
    args: rows.map(({ args }) => (args ? JSON.stringify(args) : null)),
    origins: rows.map(({ origins }) => (origins ? JSON.stringify(origins) : null)),
    errorMessage: rows.map(({ errorMessage }) => errorMessage ?? null),
  };
}

export function bindingColumns(traces: readonly ExecutionTrace[]) {
  const rows = traces.flatMap(({ id, bindings }) =>
    bindings.map((binding, position) => ({ id, position, ...binding })),
  );
  return {
    trace: rows.map(({ id }) => id),
    position: rows.map(({ position }) => position),
    producer: rows.map(({ from }) => from),
    consumer: rows.map(({ to }) => to),
    field: rows.map(({ field }) => field ?? null),
    param: rows.map(({ param }) => param ?? null),
    part: rows.map(({ part }) => (part ? JSON.stringify(part) : null)),
    origin: rows.map(({ origin }) => (origin ? JSON.stringify(origin) : null)),
  };
}

export function toTrace(row: TraceRow): ExecutionTrace {
  const { id, intent, at, source, ok, run, ms, decisions, group_name: group } = row;
  const before = row.called_before;
  const calls = JSON.parse(row.calls ?? '[]') as CallCells[];
  const bindings = JSON.parse(row.bindings ?? '[]') as BindingCells[];
  return {
    id,
    intent,
    at,
    source,
    ok,
    calls: calls.map(toCall),
    bindings: bindings.map(toBinding),
    ...(run === null ? {} : { run: run as RunId }),
    ...(ms === null ? {} : { ms }),
    ...(decisions === null ? {} : { decisions: JSON.parse(decisions) as PastDecision[] }),
    ...(group === null ? {} : { group }),
    ...(before === null ? {} : { before: (JSON.parse(before) as EarlierCells[]).map(toEarlier) }),
    ...(row.has_origins === true && { hasOrigins: true }),
    ...(row.owner !== null && { owner: row.owner as Principal }),
  };
}

function toEarlierCells({ tool, ok }: EarlierCall): EarlierCells {
  return [tool, ok];
}

function toEarlier([tool, ok]: EarlierCells): EarlierCall {
  return { tool, ok };
}

function toCall(cells: CallCells): PastCall {
  const [tool, ok, ms, startMs, parent, errorType, args, origins, errorMessage] = cells;
  return {
    tool,
    ok,
    ...(ms === null ? {} : { ms }),
    ...(startMs === null ? {} : { startMs }),
    ...(parent === null ? {} : { parent }),
    ...(errorType === null ? {} : { errorType }),
    ...(args === null ? {} : { args }),
    ...(origins && { origins }),
    ...(errorMessage && { errorMessage }),
  };
}

function toBinding([from, to, field, param, part, origin]: BindingCells): PastBinding {
  return {
    from,
    to,
    ...(field === null ? {} : { field }),
    ...(param === null ? {} : { param }),
    ...(part === null ? {} : { part }),
    ...(origin && { origin }),
  };
}
