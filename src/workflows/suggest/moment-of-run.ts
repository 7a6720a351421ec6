import type { RunState } from '../../core/index.js';
import type { Trail } from '../../discovery/index.js';
import { type SessionMoment, momentText } from '../../suggest/index.js';

/** What a run and its client know when the run has done what it has done so far. */
export function momentOfRun(run: RunState, trail: Trail): SessionMoment {
  const last = run.tasks.findLast(
    ({ status, task }) => status === 'completed' && task.parent === undefined,
  );
  const offered = trail.shown
    .filter(({ algorithm }) => algorithm === 'discover')
    .map(({ tools }) => tools);
  if (last?.status !== 'completed') return { offered };
  const { structuredContent, content } = last.result;
  return {
    offered,
    hasFailed: false,
    args: momentText(last.task.args),
    result: momentText(structuredContent ?? content),
  };
}
