import {
  type EdgeType,
  evidenceWeight,
  type ExecutionTrace,
  type GraphOf,
  isCapability,
  type NodeCounts,
  type ToolId,
} from '../core/index.js';
import { CallTree, type PlacedCall, type CallStep } from './call-tree.js';
import { DeltaCounts, edgeKey } from './delta-counts.js';

/**
 * What executions say about tools and how they belong together. Every execution counts for itself,
 * so the deltas of two parts add up to the delta of the whole.
 */
export const graphOf: GraphOf = (traces) => {
  const counts = new DeltaCounts();
  for (const trace of traces) {
    const at = trace.at.getTime();
    const lastAt = Number.isFinite(at) ? at : 0;
    if (isSingleCall(trace)) {
      countSingle(counts, trace, lastAt);
      continue;
    }
    const tree = new CallTree(trace);
    for (const node of nodesOf(tree, lastAt)) counts.addNode(node);
    for (const { from, to, type, worked } of seenEdges(tree, trace)) {
      const outcome = worked ? { observed: 1, failed: 0 } : { observed: 0, failed: 1 };
      counts.addEdge({ from, to, type, ...outcome, lastAt });
    }
  }
  return counts.delta();
};

function isSingleCall({ calls, bindings }: ExecutionTrace): boolean {
  return calls.length === 1 && bindings.length === 0;
}

/** What the general way counts for a single call, without its lists: most executions are one call. */
function countSingle(counts: DeltaCounts, trace: ExecutionTrace, lastAt: number): void {
  const { calls, before, source } = trace;
  const { tool, ok, ms } = calls[0]!;
  const failures = ok ? 0 : 1;
  counts.addNode({
    id: tool,
    calls: 1,
    failures,
    repeats: 0,
    runs: 1,
    totalMs: wholeMs(ms),
    lastAt,
  });
  const last = source === 'live' ? before?.at(-1) : undefined;
  if (!last || last.tool === tool) return;
  const observed = 1 - failures;
  counts.addEdge({
    from: last.tool,
    to: tool,
    type: 'sequence',
    observed,
    failed: failures,
    lastAt,
  });
}

function nodesOf(tree: CallTree, lastAt: number): Iterable<NodeCounts> {
  const nodes = new Map<ToolId, NodeCounts>();
  const add = (id: ToolId, more: Partial<NodeCounts>) => {
    const { calls = 0, failures = 0, repeats = 0, totalMs = 0 } = nodes.get(id) ?? {};
    nodes.set(id, {
      id,
      calls: calls + (more.calls ?? 0),
      failures: failures + (more.failures ?? 0),
      repeats: repeats + (more.repeats ?? 0),
      runs: 1,
      totalMs: totalMs + (more.totalMs ?? 0),
      lastAt,
    });
  };
  for (const { call } of tree.calls) {
    add(call.tool, { calls: 1, failures: call.ok ? 0 : 1, totalMs: wholeMs(call.ms) });
  }
  for (const steps of tree.steps()) {
    for (const step of steps) add(step[0].call.tool, { repeats: step.length - 1 });
  }
  return nodes.values();
}

/** Sums of fractions would depend on the order. */
function wholeMs(ms: number | undefined): number {
  return ms !== undefined && Number.isFinite(ms) && ms > 0 ? Math.round(ms) : 0;
}

interface SeenEdge {
  readonly from: ToolId;
  readonly to: ToolId;
  readonly type: EdgeType;
  /** The later call worked, at least one of those it was seen with. */
  readonly worked: boolean;
}

/** Each edge once, however often it is in the execution. */
function seenEdges(tree: CallTree, trace: ExecutionTrace): Iterable<SeenEdge> {
  const seen = new Map<string, SeenEdge>();
  const all = [
    ...continued(tree, trace),
    ...sequences(tree),
    ...alternatives(tree),
    ...contents(tree),
    ...flows(),
  ];
  for (const edge of all) {
    const key = edgeKey(edge.from, edge.to, edge.type);
    if (edge.from !== edge.to && !seen.get(key)?.worked) seen.set(key, edge);
  }
  return seen.values();

  function* flows(): Generator<SeenEdge> {
    for (const { from, to, origin } of trace.bindings) {
      if (evidenceWeight(origin, trace) === 0) continue;
      const producer = giverOf(tree, from, to);
      const consumer = tree.at(to);
      if (producer === undefined || !consumer) continue;
      const type = isCapability(producer) ? 'dependency' : 'provides';
      yield { from: producer, to: consumer.tool, type, worked: consumer.ok };
    }
  }
}

/**
 * A client that makes single calls does by hand what others do in one execution: each continues
 * the one before. A trace with several steps starts a new sequence, and parts of a run that were
 * recorded elsewhere are in the trace of that run.
 */
function* continued(tree: CallTree, { before = [], source }: ExecutionTrace): Generator<SeenEdge> {
  const last = before.at(-1);
  const steps = [...tree.steps()][0] ?? [];
  if (source !== 'live' || !last || steps.length !== 1) return;
  const [step] = steps as [CallStep];
  yield { from: last.tool, to: toolOf(step), type: 'sequence', worked: hasWorked(step) };
}

function* sequences(tree: CallTree): Generator<SeenEdge> {
  for (const [step, next] of neighbours(tree)) {
    yield { from: toolOf(step), to: toolOf(next), type: 'sequence', worked: hasWorked(next) };
  }
}

/** Calls that failed, did not work later either, and were followed by a call that worked. */
function* alternatives(tree: CallTree): Generator<SeenEdge> {
  const lastWorked = new Map<ToolId, number>();
  const order = new Map<number, number>();
  for (const [turn, { call, place }] of tree.calls.entries()) {
    order.set(place, turn);
    if (call.ok) lastWorked.set(call.tool, turn);
  }
  for (const [step, next] of neighbours(tree)) {
    const failed = step.at(-1) ?? step[0];
    const turn = order.get(failed.place) ?? 0;
    const isGivenUp = !failed.call.ok && (lastWorked.get(failed.call.tool) ?? -1) < turn;
    if (isGivenUp && hasWorked(next) && !beganBeforeEndOf(failed, next[0])) {
      yield { from: toolOf(step), to: toolOf(next), type: 'alternative', worked: true };
    }
  }
}

/** Then the failure of the other call was not the reason to start it. */
function beganBeforeEndOf({ call: { startMs, ms } }: PlacedCall, { call: next }: PlacedCall) {
  if (startMs === undefined || ms === undefined || next.startMs === undefined) return false;
  return next.startMs < startMs + ms;
}

function* contents(tree: CallTree): Generator<SeenEdge> {
  for (const { call, place } of tree.calls) {
    const caller = tree.at(tree.parentOf(place) ?? -1);
    if (caller && isCapability(caller.tool)) {
      yield { from: caller.tool, to: call.tool, type: 'contains', worked: call.ok };
    }
  }
}

/**
 * The giver of a value: values made inside a capability leave it only with the result of the whole,
 * so the giver is the outermost capability that the consumer is not part of.
 */
function giverOf(tree: CallTree, from: number, to: number): ToolId | undefined {
  const around = new Set(tree.lineOf(to));
  const line = tree.lineOf(from);
  // A caller returns its result after all its calls, and gets its arguments before them.
  if (around.has(from) || line.includes(to)) return undefined;
  const shared = line.findIndex((place) => around.has(place));
  const own = (shared < 0 ? line : line.slice(0, shared)).flatMap(
    (place) => tree.at(place)?.tool ?? [],
  );
  return own.findLast(isCapability) ?? own[0];
}

function* neighbours(tree: CallTree): Generator<readonly [CallStep, CallStep]> {
  for (const steps of tree.steps()) {
    for (const [place, step] of steps.entries()) {
      const next = steps[place + 1];
      if (next) yield [step, next];
    }
  }
}

function toolOf(step: CallStep): ToolId {
  return step[0].call.tool;
}

function hasWorked(step: CallStep): boolean {
  return step.some(({ call }) => call.ok);
}
