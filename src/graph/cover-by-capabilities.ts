import type { Task, TaskId, ToolId } from '../core/index.js';
import type { CapabilityShape } from './capability-shape.js';
import { byCodeUnits } from './delta-counts.js';

/** A call of a plan, and the calls it waits for. */
export type PlannedCall = Pick<Task, 'id' | 'tool' | 'needs'>;

/** Calls of a plan that one capability makes, all of them and nothing else. */
export interface Cover {
  readonly capability: ToolId;
  /** In the order of the capability's own calls. */
  readonly tasks: readonly TaskId[];
}

/** A capability of one call says no more than its tool. */
const FEWEST_CALLS = 2;
/** Attempts to fit one capability into one plan; beyond it does not fit. */
const MOST_ATTEMPTS = 10_000;

/**
 * Which capabilities could do parts of a plan in one step. A part is covered if it hangs together, has
 * exactly the calls of the capability and passes on results in the way that does; nothing outside
 * needs a result from its middle, and no cycle comes of replacing it. Larger capabilities come first,
 * and no call is covered twice.
 */
export function coverByCapabilities(
  plan: readonly PlannedCall[],
  capabilities: readonly CapabilityShape[],
): readonly Cover[] {
  const fitting = capabilities
    .filter(({ isStraight, calls }) => isStraight && calls.length >= FEWEST_CALLS)
    .toSorted((a, b) => b.calls.length - a.calls.length || byCodeUnits(a.id, b.id));
  const covers: Cover[] = [];
  for (const shape of fitting) {
    for (let found = fit(plan, shape, covers); found; found = fit(plan, shape, covers)) {
      covers.push(found);
    }
  }
  return covers;
}

/** A chain of tools as a plan, each waiting for the one before. */
export function chainAsPlan(tools: readonly ToolId[]): readonly PlannedCall[] {
  const ids = tools.map((_, place) => `${place + 1}` as TaskId);
  return tools.map((tool, place) => ({
    id: ids[place] as TaskId,
    tool,
    needs: ids.slice(Math.max(0, place - 1), place),
  }));
}

/** Finds tasks that are not covered yet and fit; tries them out one call after the other. */
function fit(
  plan: readonly PlannedCall[],
  shape: CapabilityShape,
  covers: readonly Cover[],
): Cover | undefined {
  const taken = new Set(covers.flatMap(({ tasks }) => tasks));
  const free = plan.filter(({ id }) => !taken.has(id));
  const isBefore = reachability(shape);
  const waits = waitsIn(plan);
  const flows = new Set(shape.flows.map(([from, to]) => `${from} ${to}`));
  let attempts = 0;
  const chosen: PlannedCall[] = [];

  const agrees = (task: PlannedCall, place: number) =>
    chosen.every((other, before) => {
      const isAfter = waits(task.id, other.id);
      const isAhead = waits(other.id, task.id);
      // The plan may not want another order than the capability has, nor miss one of its flows.
      if (isAfter && !isBefore(before, place)) return false;
      if (isAhead && !isBefore(place, before)) return false;
      if (flows.has(`${before} ${place}`) && !isAfter) return false;
      return !flows.has(`${place} ${before}`) || isAhead;
    });

  const choose = (place: number): Cover | undefined => {
    if (place === shape.calls.length) {
      const tasks = chosen.map(({ id }) => id);
      const cover = { capability: shape.id, tasks };
      return isWhole(plan, new Set(tasks)) && isAcyclic(plan, [...covers, cover])
        ? cover
        : undefined;
    }
    for (const task of free) {
      if (task.tool !== shape.calls[place] || chosen.includes(task)) continue;
      if (++attempts > MOST_ATTEMPTS) return undefined;
      if (!agrees(task, place)) continue;
      chosen.push(task);
      const found = choose(place + 1);
      if (found) return found;
      chosen.pop();
    }
    return undefined;
  };
  return choose(0);
}

/** Whether tasks hang together and others need only what comes last of them. */
function isWhole(plan: readonly PlannedCall[], tasks: ReadonlySet<TaskId>): boolean {
  const inside = plan.filter(({ id }) => tasks.has(id));
  const needed = new Set(inside.flatMap(({ needs }) => needs));
  const isLeftInside = plan.some(
    ({ id, needs }) => !tasks.has(id) && needs.some((need) => tasks.has(need) && needed.has(need)),
  );
  if (isLeftInside) return false;
  const joined = new Set(inside.slice(0, 1).map(({ id }) => id));
  for (const one of joined) {
    for (const { id, needs } of inside) {
      if (needs.includes(one)) joined.add(id);
      if (id === one) for (const need of needs) if (tasks.has(need)) joined.add(need);
    }
  }
  return joined.size === tasks.size;
}

/** Whether the plan can still be put in order when each covered part is one step. */
function isAcyclic(plan: readonly PlannedCall[], covers: readonly Cover[]): boolean {
  const stepOf = new Map<TaskId, string>(plan.map(({ id }) => [id, `task ${id}`]));
  for (const [place, { tasks }] of covers.entries()) {
    for (const task of tasks) stepOf.set(task, `cover ${place}`);
  }
  let links = plan.flatMap(({ id, needs }) =>
    needs
      .map((need) => [stepOf.get(need), stepOf.get(id)] as const)
      .filter(([from, to]) => from !== undefined && from !== to),
  );
  for (;;) {
    const reached = new Set(links.map(([, to]) => to));
    const left = links.filter(([from]) => reached.has(from));
    if (left.length === links.length) return left.length === 0;
    links = left;
  }
}

/** Whether one task waits for another, directly or not. */
function waitsIn(plan: readonly PlannedCall[]): (task: TaskId, other: TaskId) => boolean {
  const needs = new Map(plan.map((task) => [task.id, task.needs]));
  const known = new Map<TaskId, ReadonlySet<TaskId>>();
  const allNeeds = (task: TaskId): ReadonlySet<TaskId> => {
    const found = known.get(task);
    if (found) return found;
    const all = new Set(needs.get(task));
    // Grows while it is read.
    for (const need of all) for (const next of needs.get(need) ?? []) all.add(next);
    known.set(task, all);
    return all;
  };
  return (task, other) => allNeeds(task).has(other);
}

/** Whether one call of a capability comes before another, directly or not. */
function reachability({ calls, order }: CapabilityShape): (from: number, to: number) => boolean {
  const after = calls.map((_, place) => {
    const reached = new Set(order.filter(([from]) => from === place).map(([, to]) => to));
    // Grows while it is read.
    for (const one of reached) for (const [from, to] of order) if (from === one) reached.add(to);
    return reached;
  });
  return (from, to) => after[from]?.has(to) === true;
}
