import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type RunState,
  type Task,
  type TaskId,
  type TaskState,
  type ToolId,
} from '../../core/index.js';
import { outputsFor } from '../../executor/index.js';
import { outputValue, type ParsedPlan, resolveArgs } from '../../plan/index.js';
import {
  completeAdded,
  type FilledPlan,
  fillPlan,
  type FillPlanOptions,
  type PlannableTool,
  type ProposedValue,
  unplacedValues,
} from '../../planner/index.js';
import { freeId, nameOfTool } from './task-ids.js';

export interface BesideRun {
  readonly state: RunState;
  /** The new requirement, in words. */
  readonly requirement: string;
  readonly plannable: (ids: readonly ToolId[]) => ReadonlyMap<ToolId, PlannableTool>;
  /** Whether a call of this tool changes nothing and needs no approval. */
  readonly isReading: (tool: ToolId) => boolean;
  /** Tools that may be added if no member takes a value that the requirement names, best first. */
  readonly givers: () => readonly ToolId[];
}

/** Fills a plan that joins a run: first like every plan, then with results of the run. */
export type FillBeside = (asked: ParsedPlan, options: FillPlanOptions) => FilledPlan;

/**
 * Fills a plan for a requirement of a run. If the run has done a task with the same arguments, the plan
 * uses that result and leaves the task out. Other results of the run fill parameters only if the plan
 * itself does not, and only if some argument takes every value that the requirement names. A value
 * without an argument means something that the run has not found yet: then PML adds a step that takes
 * the value and gives the missing parameter.
 */
export function fillBeside(run: BesideRun): FillBeside {
  const existing = run.state.tasks.filter(isSource);
  const known = existing.map(({ task }) => task);
  const unheard = ({ plan }: FilledPlan) => unplacedValues(run.requirement, plan.tasks).length;
  const lacks = ({ plan }: FilledPlan) =>
    unplacedValues(run.requirement, [...plan.tasks, ...known]);
  return (given, options) => {
    const { plan, places } = withFreeIds(given, options.places, run.state);
    const placed = { ...options, ...(places && { places }) };
    const filled = fillKnown(plan, placed);
    const left = lacks(filled).length;
    if (filled.holes.length === 0 || left === 0) return filled;
    for (const giver of run.givers().slice(0, MOST_GIVERS)) {
      const extended = withGiver(plan, filled, { giver, state: run.state });
      const trial = extended && fillKnown(extended, placed);
      const isBetter = trial && trial.holes.length < filled.holes.length;
      if (isBetter && lacks(trial).length < left) return trial;
    }
    return filled;
  };

  function fillKnown(plan: ParsedPlan, given: FillPlanOptions): FilledPlan {
    const ids = [...known, ...plan.tasks].map(({ tool }) => tool);
    const withPast = { ...given, tools: new Map([...run.plannable(ids), ...given.tools]) };
    const { past: _past, similar: _similar, templates: _templates, ...withoutPast } = withPast;
    const usual = fillPlan(plan, withPast);
    const fresh = unheard(usual) > 0 ? fillPlan(plan, withoutPast) : usual;
    // A value that the requirement names wins over the values of past runs.
    const isFresh = unheard(fresh) < unheard(usual);
    const [alone, options] = isFresh ? [fresh, withoutPast] : [usual, withPast];
    const isAllNamed = lacks(alone).length === 0;
    const done = doneAlready(plan, alone, { ...run, existing, isAllNamed });
    if (done.size === 0 && !(alone.holes.length > 0 && isAllNamed)) return alone;
    const used = [...new Set(done.values())];
    const old = isAllNamed ? known : [];
    const values: ProposedValue[] = [];
    const beside = completeAdded(withoutDone(plan, done), old, (some, sources) => {
      const existingTasks = [...new Set([...used, ...sources])];
      const filled = fillPlan(some, { ...options, existing: existingTasks });
      values.push(...filled.values);
      return filled;
    });
    return { ...beside, values };
  }
}

/** PML fills the whole plan again for each of them. */
const MOST_GIVERS = 6;

/** The plan with a step before the tasks with holes. Undefined if the plan calls the tool already. */
function withGiver(
  { tasks, open }: ParsedPlan,
  { holes }: FilledPlan,
  { giver, state }: { readonly giver: ToolId; readonly state: RunState },
): ParsedPlan | undefined {
  if (tasks.some(({ tool }) => tool === giver)) return undefined;
  const id = freeId(nameOfTool(giver), idsOf([...tasks, ...state.tasks.map(({ task }) => task)]));
  const lacking = new Set(holes.map(({ task }) => task));
  const first: Task = { id, tool: giver, args: {}, needs: [] };
  const rest = tasks.map((task) => {
    return lacking.has(task.id) ? { ...task, needs: [...task.needs, id] } : task;
  });
  return { tasks: [first, ...rest], open: new Set([...open, id]) };
}

/** Calls of a script belong to the script. Failed and skipped tasks have no result. */
function isSource({ task, status }: TaskState): boolean {
  return task.parent === undefined && status !== 'failed' && status !== 'skipped';
}

interface Known extends BesideRun {
  readonly existing: readonly TaskState[];
  /** Whether some argument takes every value that the requirement names. */
  readonly isAllNamed: boolean;
}

/**
 * Tasks of the plan that the run has already done, each with the task of the run. Both call the same
 * tool with the same arguments. If a task only reads, other tasks need it and its arguments are open,
 * the same tool is enough.
 */
function doneAlready(
  plan: ParsedPlan,
  { plan: filled, holes }: FilledPlan,
  { state, existing, isReading, isAllNamed }: Known,
): ReadonlyMap<TaskId, Task> {
  const done = new Map<TaskId, Task>();
  const outputs = new Map<TaskId, JsonValue>();
  for (const task of filled.tasks) {
    const same = existing.filter((one) => one.task.tool === task.tool);
    const isOpen = holes.some((hole) => hole.task === task.id);
    const isNeeded = plan.tasks.some(({ needs }) => needs.includes(task.id));
    const found = isOpen
      ? isAllNamed && isNeeded && isReading(task.tool)
        ? same.findLast(({ status }) => status === 'completed')
        : undefined
      : same.findLast((one) => isSameCall(task, outputs, one, state));
    if (!found) continue;
    done.set(task.id, found.task);
    if (found.status === 'completed') outputs.set(task.id, outputValue(found.result));
  }
  return done;
}

function isSameCall(
  task: Task,
  outputs: ReadonlyMap<TaskId, JsonValue>,
  one: TaskState,
  state: RunState,
): boolean {
  const args = argsWith(task, outputs);
  const before = argsWith(one.task, outputsFor(one.task, state));
  return (
    args !== undefined && before !== undefined && canonicalJson(args) === canonicalJson(before)
  );
}

/** Undefined while the value of a reference is missing. */
function argsWith(task: Task, outputs: ReadonlyMap<TaskId, JsonValue>): JsonObject | undefined {
  try {
    return resolveArgs(task, outputs);
  } catch {
    return undefined; // The reference names a new task or a task without a result: a different call.
  }
}

/** The rest of the plan. It waits for the tasks of the run instead of those that it leaves out. */
function withoutDone({ tasks, open }: ParsedPlan, done: ReadonlyMap<TaskId, Task>): ParsedPlan {
  const rest = tasks.filter(({ id }) => !done.has(id));
  return {
    open,
    tasks: rest.map((task) => ({
      ...task,
      needs: [...new Set(task.needs.map((need) => done.get(need)?.id ?? need))],
    })),
  };
}

/** The plan with task ids that no task of the run has. */
function withFreeIds(
  { tasks, open }: ParsedPlan,
  places: FillPlanOptions['places'],
  state: RunState,
): { readonly plan: ParsedPlan; readonly places: FillPlanOptions['places'] } {
  const taken = idsOf(state.tasks.map(({ task }) => task));
  const names = new Map(tasks.map(({ id }) => [id, freeId(id, taken)]));
  const nameOf = (id: TaskId) => names.get(id) ?? id;
  const named = tasks.map((task) => {
    return { ...task, id: nameOf(task.id), needs: task.needs.map(nameOf) };
  });
  return {
    plan: { open: new Set(Array.from(open, nameOf)), tasks: named },
    places: places && new Map(Array.from(places, ([id, place]) => [nameOf(id), place])),
  };
}

function idsOf(tasks: readonly Task[]): readonly TaskId[] {
  return tasks.map(({ id }) => id);
}
