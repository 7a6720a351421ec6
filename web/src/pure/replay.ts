/** A finished run as it stood after one of its events. */
import type {
  AttemptSpan,
  ReplayedEvent,
  RunDetails,
  RunTaskInfo,
} from '../../../src/control/contract/runs.js';

interface Past {
  status: RunTaskInfo['status'];
  spans: AttemptSpan[];
  attempts: number;
}

/** The details with every task as it was when `place` events had happened. */
export function runAt(
  details: RunDetails,
  events: readonly ReplayedEvent[],
  place: number,
): RunDetails {
  const seen = events.slice(0, place);
  const past = new Map<string, Past>();
  const called = new Set<string>();
  for (const event of seen) {
    if (event.task === undefined) continue;
    if (event.type === 'task-called') called.add(event.task);
    const one = past.get(event.task) ?? { status: 'waiting', spans: [], attempts: 0 };
    past.set(event.task, applyReplayed(one, event));
  }
  const madeLater = new Set(
    events.filter(({ type }) => type === 'task-called').map(({ task }) => task),
  );
  const atMs = seen.at(-1)?.atMs ?? 0;
  return {
    ...details,
    ms: atMs,
    tasks: details.tasks
      .filter(({ id }) => !madeLater.has(id) || called.has(id))
      .map((task) => taskAt(task, past.get(task.id))),
    decisions: details.decisions.filter((one) => one.atMs <= atMs),
    messages: details.messages.filter((one) => one.atMs <= atMs),
  };
}

function applyReplayed(past: Past, event: ReplayedEvent): Past {
  const status = event.status ?? past.status;
  switch (event.type) {
    case 'task-started': {
      const spans = [...past.spans, { startMs: event.atMs, outcome: 'running' as const }];
      return { status, spans, attempts: past.attempts + 1 };
    }
    case 'task-completed':
    case 'task-failed':
    case 'task-doubted':
      return { ...past, status, spans: closeLast(past.spans, event) };
    default:
      return { ...past, status };
  }
}

function closeLast(spans: readonly AttemptSpan[], event: ReplayedEvent): AttemptSpan[] {
  const last = spans.at(-1);
  if (!last) return [];
  const outcome =
    event.type === 'task-completed'
      ? ('completed' as const)
      : event.type === 'task-failed'
        ? ('failed' as const)
        : ('in_doubt' as const);
  const ms = Math.max(0, event.atMs - last.startMs);
  const error = outcome === 'completed' || !event.text ? {} : { error: event.text };
  return [...spans.slice(0, -1), { startMs: last.startMs, ms, outcome, ...error }];
}

function taskAt(task: RunTaskInfo, past: Past | undefined): RunTaskInfo {
  const { id, tool, parent, needs, layer, args, filled, readyMs } = task;
  const status = past?.status ?? 'waiting';
  const isEnd = status === task.status && (past?.attempts ?? 0) === task.attempts;
  if (isEnd && past)
    return { ...task, spans: past.spans.length > 0 ? past.spans : (task.spans ?? []) };
  return {
    id,
    tool,
    needs,
    layer,
    args,
    status,
    attempts: past?.attempts ?? 0,
    spans: past?.spans ?? [],
    ...(parent !== undefined && { parent }),
    ...(filled && { filled }),
    ...(past && readyMs !== undefined && { readyMs }),
  };
}
