import type { RunState, TaskState } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import type { RunView } from '../../runs/index.js';
import { openTasks, whoApproves, type Workflows } from '../../workflows/index.js';
import type { ControlResult } from '../contract.js';
import type { WaitingQuestion } from '../contract/questions.js';
import { describeRun, describeRunDetails } from './describe.js';

/** Runs of this daemon that wait for a decision, the one that waits longest first. */
export async function listQuestions({
  workflows,
}: {
  readonly workflows: Workflows;
}): Promise<ControlResult<'questions'>> {
  return { questions: waitingQuestions(workflows, Date.now()) };
}

/** See `listQuestions`. */
export function waitingQuestions(
  workflows: Pick<Workflows, 'runs' | 'tools'>,
  now: number,
): readonly WaitingQuestion[] {
  return workflows.runs
    .live()
    .filter(({ phase }) => phase === 'paused')
    .flatMap((live) => questionOf(workflows, live, now) ?? [])
    .toSorted((one, other) => (one.since < other.since ? -1 : 1));
}

function questionOf(
  { tools }: Pick<Workflows, 'tools'>,
  live: LiveRun,
  now: number,
): WaitingQuestion | undefined {
  const { state, phase, events } = live;
  const view: RunView = { state, phase, live };
  const run = describeRun(view, now);
  const kind = run.status;
  if (kind !== 'needs_approval' && kind !== 'needs_decision') return undefined;
  const open = new Map(openTasks(state).map((one) => [String(one.task.id), one]));
  const { tasks } = describeRunDetails(view, events, { now });
  return {
    run,
    kind,
    since: new Date(sinceWhen(state, [...open.values()], live)).toISOString(),
    text: run.question ?? '',
    tasks: tasks.flatMap((task) => {
      const asked = open.get(task.id);
      const whom = asked && whoApproves(tools, state, asked.task.tool);
      return asked ? [{ ...task, whom: whom ?? 'agent' }] : [];
    }),
  };
}

/** The last event about something that is asked. */
function sinceWhen(
  { startedAt }: RunState,
  open: readonly TaskState[],
  { events }: LiveRun,
): number {
  const asked = new Set(open.map(({ task }) => task.id));
  const last = events.findLast(
    (event) =>
      (event.type === 'task-held' ||
        event.type === 'task-doubted' ||
        event.type === 'task-failed') &&
      asked.has(event.task),
  );
  return last && 'at' in last ? last.at : startedAt;
}
