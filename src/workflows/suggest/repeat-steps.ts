import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Task,
  type TaskId,
  type ToolId,
} from '../../core/index.js';
import { referenceHead } from '../../plan/index.js';
import { type FilledPlan, listedValues, unplacedValues } from '../../planner/index.js';
import { takesFrom } from './place-values.js';
import { freeId } from './task-ids.js';

export interface RepeatedStepsOptions {
  readonly intent: string;
  /** Whether a tool only reads. PML repeats no step that changes something. */
  readonly isReading: (tool: ToolId) => boolean;
  /** The plan for a request, with the same steps. */
  readonly fillFor: (intent: string) => FilledPlan;
}

/** A request that lists more values asks for a loop, which a plan is not. */
const MOST_VALUES = 8;

/**
 * The plan with some steps once for each value that the request lists: "the weather in Oslo and Rome"
 * asks for the weather twice. PML fills the plan once for each value, as if the request named this one
 * alone, and repeats the steps that then differ. The plan stays as it is if its steps take all values
 * anyway, if a step that would be repeated changes something, or if a value goes nowhere.
 */
export function repeatForListed(filled: FilledPlan, options: RepeatedStepsOptions): FilledPlan {
  const { intent, isReading, fillFor } = options;
  const list = listedValues(intent);
  if (!list || list.values.length > MOST_VALUES) return filled;
  const ignored = new Set(unplacedValues(intent, filled.plan.tasks));
  if (!list.values.some(({ text }) => ignored.has(text))) return filled;
  const each = list.values.map((value) => ({ value, one: fillFor(list.onlyFor(value)) }));
  const isComplete = each.every(({ value, one }) => {
    const left = unplacedValues(list.onlyFor(value), one.plan.tasks);
    return !left.includes(value.text) && one.holes.length <= filled.holes.length;
  });
  const all = each.map(({ one }) => one);
  const repeated = isComplete ? differing(all) : undefined;
  const isSafe = repeated?.every(({ tool }) => isReading(tool)) ?? false;
  return repeated && isSafe ? joined(all, new Set(repeated.map(({ id }) => id))) : filled;
}

/** The tasks that are not the same in all plans, and those that take values of them. */
function differing(plans: readonly FilledPlan[]): readonly Task[] | undefined {
  const [first, ...rest] = plans.map(({ plan }) => plan.tasks);
  if (!first || rest.some((tasks) => tasks.length !== first.length)) return undefined;
  const own = new Map<TaskId, Task>();
  for (const task of first) {
    const isSame = rest.every((tasks) => {
      const other = tasks.find(({ id }) => id === task.id);
      return other !== undefined && canonicalJson(other.args) === canonicalJson(task.args);
    });
    if (!isSame) own.set(task.id, task);
  }
  for (let size = -1; size < own.size;) {
    size = own.size;
    for (const task of first) {
      if ([...own.keys()].some((id) => takesFrom(task, id))) own.set(task.id, task);
    }
  }
  return [...own.values()];
}

/** The first plan, with the repeated tasks of the others behind it under ids of their own. */
function joined(plans: readonly FilledPlan[], repeated: ReadonlySet<TaskId>): FilledPlan {
  const [first, ...rest] = plans as [FilledPlan, ...FilledPlan[]];
  const taken = first.plan.tasks.map(({ id }) => id);
  const copies = rest.map((one) => {
    const ids = new Map<TaskId, TaskId>();
    for (const id of repeated) {
      const free = freeId(id, taken);
      taken.push(free);
      ids.set(id, free);
    }
    return copyOf(one, ids);
  });
  const all = [first, ...copies];
  return {
    ...first,
    plan: { tasks: all.flatMap(({ plan }) => plan.tasks) },
    bindings: all.flatMap(({ bindings }) => bindings),
    ambiguous: all.flatMap(({ ambiguous }) => ambiguous),
    holes: all.flatMap(({ holes }) => holes),
    values: all.flatMap(({ values }) => values),
  };
}

/** The tasks that get another id, with all that is said of them. */
function copyOf(filled: FilledPlan, ids: ReadonlyMap<TaskId, TaskId>): FilledPlan {
  const idOf = (id: TaskId) => ids.get(id) ?? id;
  const ofCopies = <One extends { readonly task: TaskId }>(some: readonly One[]) =>
    some.filter(({ task }) => ids.has(task)).map((one) => ({ ...one, task: idOf(one.task) }));
  return {
    ...filled,
    plan: {
      tasks: filled.plan.tasks.filter(({ id }) => ids.has(id)).map((task) => renamed(task, ids)),
    },
    bindings: filled.bindings
      .filter(({ to }) => ids.has(to))
      .map((one) => ({ ...one, from: idOf(one.from), to: idOf(one.to) })),
    ambiguous: ofCopies(filled.ambiguous),
    holes: ofCopies(filled.holes),
    values: ofCopies(filled.values),
  };
}

function renamed(task: Task, ids: ReadonlyMap<TaskId, TaskId>): Task {
  const args = withRenamed(task.args, new Map<string, string>(ids)) as JsonObject;
  return { ...task, id: ids.get(task.id)!, args, needs: task.needs.map((id) => ids.get(id) ?? id) };
}

/** An escaped `$${…}` is text. */
const PLACEHOLDER = /(?<!\$)\$\{([^.[{}]+)/g;

function withRenamed(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') {
    return value.replaceAll(PLACEHOLDER, (whole, name: string) => {
      const to = names.get(name);
      return to === undefined ? whole : `\${${to}`;
    });
  }
  if (Array.isArray(value)) return value.map((one) => withRenamed(one as JsonValue, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key !== '$ref' || typeof one !== 'string') return [key, withRenamed(one, names)];
      const head = referenceHead(one);
      return [key, (names.get(head) ?? head) + one.slice(head.length)];
    }),
  );
}
