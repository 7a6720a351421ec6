/** The tasks of a run as bars over time. */
import type { RunTaskInfo } from '../../../src/control/contract/runs.js';

export interface WaterfallRow {
  readonly task: RunTaskInfo;
  readonly depth: number;
  /** How many tasks are below it, shown or not. */
  readonly inside: number;
  readonly isFolded: boolean;
  readonly segments: readonly Segment[];
}

export interface Segment {
  /** `queue`: ready, but not started. `pause`: between two attempts. */
  readonly kind: 'queue' | 'run' | 'pause' | 'failed';
  /** Milliseconds after the run began. */
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

/** Tasks in the order they began, each followed by those that its code called. */
export function waterfallRows(
  tasks: readonly RunTaskInfo[],
  { folded, runMs }: { readonly folded: ReadonlySet<string>; readonly runMs: number },
): readonly WaterfallRow[] {
  const children = childrenOf(tasks);
  const rows: WaterfallRow[] = [];
  const add = (own: readonly RunTaskInfo[], depth: number) => {
    for (const task of own) {
      const inside = countBelow(children, task.id);
      const isFolded = folded.has(task.id) && inside > 0;
      rows.push({ task, depth, inside, isFolded, segments: segmentsOf(task, runMs) });
      if (!isFolded) add(children.get(task.id) ?? [], depth + 1);
    }
  };
  add(children.get(undefined) ?? [], 0);
  return rows;
}

/** By the task whose code called them; a task whose caller is unknown stands on its own. */
function childrenOf(
  tasks: readonly RunTaskInfo[],
): ReadonlyMap<string | undefined, readonly RunTaskInfo[]> {
  const known = new Set(tasks.map(({ id }) => id));
  const order = [...tasks].sort((a, b) => beginOf(a) - beginOf(b));
  const children = new Map<string | undefined, RunTaskInfo[]>();
  for (const task of order) {
    const parent = task.parent !== undefined && known.has(task.parent) ? task.parent : undefined;
    children.set(parent, [...(children.get(parent) ?? []), task]);
  }
  return children;
}

const beginOf = ({ readyMs, startMs, spans }: RunTaskInfo): number =>
  spans?.[0]?.startMs ?? startMs ?? readyMs ?? Number.MAX_SAFE_INTEGER;

function countBelow(
  children: ReadonlyMap<string | undefined, readonly RunTaskInfo[]>,
  id: string,
): number {
  return (children.get(id) ?? []).reduce((sum, one) => sum + 1 + countBelow(children, one.id), 0);
}

function segmentsOf(task: RunTaskInfo, runMs: number): readonly Segment[] {
  const spans = task.spans ?? lastSpan(task);
  const first = spans[0]?.startMs ?? runMs;
  const segments: Segment[] = [];
  if (task.readyMs !== undefined && first > task.readyMs) {
    segments.push({ kind: 'queue', from: task.readyMs, to: first, title: 'queued' });
  }
  spans.forEach(({ startMs, ms, outcome, error }, place) => {
    const to = ms === undefined ? Math.max(startMs, runMs) : startMs + ms;
    const isBad = outcome === 'failed' || outcome === 'in_doubt';
    const title = `attempt ${place + 1}: ${outcome}${error ? ` (${error})` : ''}`;
    segments.push({ kind: isBad ? 'failed' : 'run', from: startMs, to, title });
    const next = spans[place + 1];
    if (next && next.startMs > to) {
      segments.push({ kind: 'pause', from: to, to: next.startMs, title: 'pause before the retry' });
    }
  });
  return segments;
}

/** Daemons of old builds tell only the last attempt. */
function lastSpan({ startMs, ms, status }: RunTaskInfo): NonNullable<RunTaskInfo['spans']> {
  if (startMs === undefined) return [];
  const outcome =
    status === 'running' || status === 'failed' || status === 'in_doubt' ? status : 'completed';
  return [{ startMs, outcome, ...(ms !== undefined && { ms }) }];
}

/** Round times for the axis, at most six of them. */
export function axisTicks(totalMs: number): readonly number[] {
  const rough = Math.max(1, totalMs) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  for (let at = 0; at <= totalMs; at += step) ticks.push(at);
  return ticks;
}
