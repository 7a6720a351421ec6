import { PmlError, type RunState, type Task, type TaskId, type TaskState } from '../core/index.js';

/**
 * Where tasks stand, by the list they are in. Lists that follow from each other share one map, to
 * which tasks are only added: a run of thousands of calls must not look through all of them for each.
 */
const PLACES = new WeakMap<readonly TaskState[], Map<TaskId, number>>();

function placesIn(tasks: readonly TaskState[]): Map<TaskId, number> {
  const known = PLACES.get(tasks);
  if (known) return known;
  const places = new Map(tasks.map(({ task }, place) => [task.id, place]));
  PLACES.set(tasks, places);
  return places;
}

function placeOf(tasks: readonly TaskState[], id: TaskId): number {
  const place = placesIn(tasks).get(id);
  if (place === undefined) return -1;
  if (tasks[place]?.task.id === id) return place;
  // The map is shared with a list that went on otherwise.
  return tasks.findIndex(({ task }) => task.id === id);
}

export function findTask({ tasks }: RunState, id: TaskId): TaskState | undefined {
  return tasks[placeOf(tasks, id)];
}

/** With `isLater` they are marked as not having been part of the run when it began. */
export function addTasks(
  state: RunState,
  tasks: readonly Task[],
  { isLater = false } = {},
): RunState {
  const added = tasks.map((task): TaskState => ({
    task,
    attempts: 0,
    isApproved: false,
    ...(isLater && { isAdded: true }),
    status: 'waiting',
  }));
  const places = placesIn(state.tasks);
  const all = [...state.tasks, ...added];
  added.forEach(({ task }, at) => places.set(task.id, state.tasks.length + at));
  PLACES.set(all, places);
  return { ...state, tasks: all };
}

/** What a task keeps when its status changes. */
export function lastingParts({ task, attempts, isApproved, isAdded, approvedArgs }: TaskState) {
  return {
    task,
    attempts,
    isApproved,
    ...(isAdded && { isAdded }),
    ...(approvedArgs !== undefined && { approvedArgs }),
  };
}

export function changeTask(
  state: RunState,
  id: TaskId,
  change: (task: TaskState) => TaskState,
): RunState {
  const place = placeOf(state.tasks, id);
  const found = state.tasks[place];
  if (!found) throw new PmlError('JOURNAL_FAILED', `The run has no task \`${id}\``);
  const tasks = state.tasks.with(place, change(found));
  PLACES.set(tasks, placesIn(state.tasks));
  return { ...state, tasks };
}
