/** The calls of a run or of a capability in order: `tool#n`, parallel ones in one step. */
import type { InvocationRow } from '../../../src/control/contract/capabilities.js';
import type { RunTaskInfo } from '../../../src/control/contract/runs.js';

export interface SequencedCall {
  /** Unique in the sequence. */
  readonly id: string;
  /** `server:tool#n`. */
  readonly name: string;
  readonly tool: string;
  /** Counts the calls of this tool from 1. */
  readonly time: number;
  readonly startMs: number;
  readonly ms: number;
  readonly status: string;
  readonly needs: readonly string[];
  readonly parent?: string;
}

export interface SequenceStep {
  /** More than one: they ran at the same time. */
  readonly calls: readonly SequenceNode[];
  /** Tools that the step before called too. */
  readonly repeated: readonly string[];
  /** From the end of the step before to the start of this one. */
  readonly pauseMs: number;
}

export interface SequenceNode {
  readonly call: SequencedCall;
  /** What its code called. */
  readonly inside: readonly SequenceStep[];
}

/** Times are whole milliseconds, so calls one after the other may seem to touch. */
const TOUCH_MS = 1;

export function callsOfRun(tasks: readonly RunTaskInfo[]): readonly SequencedCall[] {
  const made = tasks.flatMap((task) => {
    const startMs = task.spans?.[0]?.startMs ?? task.startMs;
    if (startMs === undefined) return [];
    const end = task.spans?.at(-1) ?? { startMs: task.startMs ?? startMs, ms: task.ms };
    const { id, tool, status, needs, parent } = task;
    const ms = end.startMs + (end.ms ?? 0) - startMs;
    return [{ id, tool, startMs, ms, status, needs, ...(parent !== undefined && { parent }) }];
  });
  return numbered(made);
}

export function callsOfProof(invocations: readonly InvocationRow[]): readonly SequencedCall[] {
  return invocations.map(({ call, tool, startMs, ms, ok, parent }) => ({
    id: call,
    name: call,
    tool,
    time: Number(/#(\d+)$/.exec(call)?.[1] ?? 1),
    startMs,
    ms,
    status: ok ? 'completed' : 'failed',
    needs: [],
    ...(parent !== undefined && { parent }),
  }));
}

function numbered(
  calls: readonly Omit<SequencedCall, 'name' | 'time'>[],
): readonly SequencedCall[] {
  const counts = new Map<string, number>();
  return [...calls]
    .sort((a, b) => a.startMs - b.startMs)
    .map((call) => {
      const time = (counts.get(call.tool) ?? 0) + 1;
      counts.set(call.tool, time);
      return { ...call, time, name: `${call.tool}#${time}` };
    });
}

export function sequenceOf(
  calls: readonly SequencedCall[],
  parent?: string,
): readonly SequenceStep[] {
  const known = new Set(calls.map(({ id }) => id));
  const own = calls.filter((call) =>
    parent === undefined
      ? call.parent === undefined || !known.has(call.parent)
      : call.parent === parent,
  );
  const groups = groupParallel([...own].sort((a, b) => a.startMs - b.startMs));
  return groups.map((group, place) => {
    const before = groups[place - 1];
    const tools = new Set(before?.map(({ tool }) => tool));
    const start = Math.min(...group.map(({ startMs }) => startMs));
    const ended = Math.max(0, ...(before ?? []).map(({ startMs, ms }) => startMs + ms));
    return {
      calls: group.map((call) => ({ call, inside: sequenceOf(calls, call.id) })),
      repeated: [...new Set(group.map(({ tool }) => tool))].filter((tool) => tools.has(tool)),
      pauseMs: before ? Math.max(0, start - ended) : 0,
    };
  });
}

function groupParallel(calls: readonly SequencedCall[]): readonly (readonly SequencedCall[])[] {
  const groups: SequencedCall[][] = [];
  for (const call of calls) {
    const group = groups.at(-1);
    if (group && runsBeside(group, call)) group.push(call);
    else groups.push([call]);
  }
  return groups;
}

function runsBeside(group: readonly SequencedCall[], call: SequencedCall): boolean {
  if (group.some(({ id }) => call.needs.includes(id))) return false;
  return group.some(({ startMs, ms }) => {
    const after = call.startMs - startMs;
    return after < TOUCH_MS ? after < ms : after < ms - TOUCH_MS;
  });
}
