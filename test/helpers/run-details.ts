import type { RunDetails, RunTaskInfo } from '../../src/control/index.js';

/** A task as the daemon reports it; done in 100 ms unless said otherwise. */
export function taskInfo(id: string, rest: Partial<RunTaskInfo> = {}): RunTaskInfo {
  return {
    id,
    tool: `files:${id}`,
    needs: [],
    layer: 0,
    status: 'completed',
    attempts: 1,
    startMs: 0,
    ms: 100,
    args: '{}',
    ...rest,
  };
}

export function runDetails(
  tasks: readonly RunTaskInfo[],
  rest: Partial<RunDetails> = {},
): RunDetails {
  const counts: Record<string, number> = {};
  for (const { status } of tasks) counts[status] = (counts[status] ?? 0) + 1;
  return {
    run: 'run_abcdefghijkl',
    status: 'completed',
    startedAt: '2026-01-31T09:00:00.000Z',
    ms: 1_234,
    counts,
    tasks,
    decisions: [],
    messages: [],
    ...rest,
  };
}
