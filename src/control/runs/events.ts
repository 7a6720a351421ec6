import { runId, type RunEvent, type RunState, type TaskId } from '../../core/index.js';
import { applyEvent } from '../../executor/index.js';
import type { Workflows } from '../../workflows/index.js';
import type { ControlParams } from '../contract.js';
import type { ReplayedEvent, RunEventPage } from '../contract/runs.js';
import { describeEvent } from './describe.js';

const LISTED_EVENTS = 500;

/** Events of a run in order, each with what it made of its task, so that a replay needs nothing else. */
export async function readRunEvents(
  { workflows }: { readonly workflows: Workflows },
  { run: id, after = 0, limit = LISTED_EVENTS }: ControlParams<'run-events'>,
): Promise<RunEventPage> {
  const run = runId(id);
  const events = await workflows.runs.events(run);
  const end = Math.min(after + limit, events.length);
  return {
    run,
    events: replayed(events.slice(0, end)).slice(after),
    ...(end < events.length && { next: end }),
    total: events.length,
  };
}

function replayed(events: readonly RunEvent[]): readonly ReplayedEvent[] {
  let state: RunState | undefined;
  return events.map((event, place) => {
    state = applyEvent(state, event);
    const info = describeEvent(event, state);
    return { place, ...info, ...taskAfter(state, event, info.task) };
  });
}

function taskAfter(
  state: RunState,
  event: RunEvent,
  id: string | undefined,
): Pick<ReplayedEvent, 'status' | 'tool' | 'parent'> {
  if (id === undefined) return {};
  const found = state.tasks.find(({ task }) => task.id === (id as TaskId));
  if (!found) return {};
  const { tool, parent } = found.task;
  return {
    status: found.status,
    ...(event.type === 'task-called' && { tool, ...(parent !== undefined && { parent }) }),
  };
}
