import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type PastBinding,
  type RunEvent,
  type Task,
  type TaskId,
} from '../../core/index.js';
import {
  CONTEXT,
  isWhole,
  outputValue,
  readReferences,
  resolveArgs,
  templateOf,
  withSlot,
} from '../../plan/index.js';

/** One call of a run: the task, when it left, and how it ended. */
export interface TracedCall {
  readonly task: Task;
  readonly startedAt: number;
  readonly end: Extract<RunEvent, { type: 'task-completed' | 'task-failed' }>;
}

/** A shorter text or a smaller number is the same in two places too often by chance. */
const TELLING_CHARACTERS = 4;
const TELLING_NUMBER = 1_000;
/** Of one result; a list of thousands tells nothing more than its first entries. */
const MOST_VALUES = 2_000;
const MOST_BINDINGS = 200;

/**
 * Which values really went from one call into another: those a reference took there, and those of a
 * result that stand in the arguments of a call made after it. A value comes out of a capability by its
 * result alone, and into it by its arguments. Yields after each call.
 */
export function* findFlows(
  calls: readonly TracedCall[],
  context: JsonObject,
): Generator<void, readonly PastBinding[]> {
  // A lone call has nothing to take values from.
  if (calls.length < 2 && Object.keys(context).length === 0) return [];
  const known = new KnownValues(calls, context);
  yield* known.enterAll(calls);
  const flows: PastBinding[] = [];
  for (const [to, consumer] of calls.entries()) {
    if (flows.length >= MOST_BINDINGS) break;
    const referred = byReference(consumer, to, calls);
    const told = new Set(referred.map(({ from, param }) => `${from} ${param ?? ''}`));
    const matched = byValue(consumer, to, { calls, known });
    flows.push(
      ...referred,
      ...matched.filter(({ from, param }) => !told.has(`${from} ${param ?? ''}`)),
    );
    yield;
  }
  return flows.slice(0, MOST_BINDINGS);
}

function byReference(
  { task }: TracedCall,
  to: number,
  calls: readonly TracedCall[],
): PastBinding[] {
  const written = new Set<string>();
  return readReferences(task).flatMap(({ task: producer, field, param }) => {
    const template = templateOf(task.args[param] ?? null, task);
    const isFirst = !written.has(param) && written.add(param) !== undefined;
    const part = isWhole(template)
      ? {}
      : { part: isFirst && template !== undefined ? { template } : {} };
    const from = calls.findLastIndex(
      (call) => call.task.id === producer && call.end.type === 'task-completed',
    );
    return from < 0 ? [] : [{ from, to, ...(field && { field }), param, ...part }];
  });
}

function byValue(
  consumer: TracedCall,
  to: number,
  { calls, known }: { readonly calls: readonly TracedCall[]; readonly known: KnownValues },
): PastBinding[] {
  const leaves = Object.entries(known.argsOf(consumer.task)).flatMap(([param, value]) =>
    [...leavesOf(value)].map(([leaf]) => ({ param, value, leaf })),
  );
  if (leaves.length === 0) return [];
  return known.producersOf(leaves.map(({ leaf }) => leaf)).flatMap((from) => {
    const producer = calls[from];
    if (!producer) return [];
    if (producer.end.type !== 'task-completed' || producer.end.at > consumer.startedAt) return [];
    const way = known.wayBetween(producer, consumer);
    if (!way) return [];
    const there = known.leavesOut(producer.task);
    const found = new Map<string, PastBinding>();
    for (const { param, value, leaf } of leaves) {
      const field = there.get(leaf);
      if (field !== undefined && !found.has(param) && way(leaf)) {
        const template = withSlot(value, leaf);
        const part = isWhole(template) ? {} : { part: { template } };
        found.set(param, { from, to, ...(field && { field }), param, ...part });
      }
    }
    return [...found.values()];
  });
}

type Leaves = ReadonlyMap<JsonValue, string>;

/** What went into the calls of a run and what came out of them. */
class KnownValues {
  readonly #outputs: Map<TaskId, JsonValue>;
  /** Capabilities are called once; of a call that was repeated the last counts. */
  readonly #calls: ReadonlyMap<TaskId, TracedCall>;
  readonly #out = new Map<TaskId, Leaves>();
  readonly #in = new Map<TaskId, Leaves>();
  /** Which calls gave a value, by their places. */
  readonly #producers = new Map<JsonValue, number[]>();

  constructor(calls: readonly TracedCall[], context: JsonObject) {
    this.#calls = new Map(calls.map((call) => [call.task.id, call]));
    this.#outputs = new Map<TaskId, JsonValue>([[CONTEXT, context]]);
  }

  /** Takes in what the calls gave, before anything else is asked. */
  *enterAll(calls: readonly TracedCall[]): Generator<void, void> {
    for (const { task, end } of calls) {
      if (end.type === 'task-completed') this.#outputs.set(task.id, outputValue(end.result));
      yield;
    }
    for (const [place, { task, end }] of calls.entries()) {
      if (end.type === 'task-completed') this.#enter(task, place);
      yield;
    }
  }

  #enter(task: Task, place: number): void {
    for (const leaf of this.leavesOut(task).keys()) {
      const places = this.#producers.get(leaf);
      if (places) places.push(place);
      else this.#producers.set(leaf, [place]);
    }
  }

  /** The places of the calls that gave one of these values, in order. */
  producersOf(leaves: readonly JsonValue[]): readonly number[] {
    const places = new Set(leaves.flatMap((leaf) => this.#producers.get(leaf) ?? []));
    return [...places].toSorted((a, b) => a - b);
  }

  argsOf(task: Task): JsonObject {
    try {
      return resolveArgs(task, this.#outputs);
    } catch {
      return {}; // A reference into a result that is not there: nothing flowed.
    }
  }

  leavesOut({ id }: Task): Leaves {
    return remembered(this.#out, id, () => leavesOf(this.#outputs.get(id) ?? null));
  }

  /** Which values could get from one call to the other; nothing if none could. */
  wayBetween(
    producer: TracedCall,
    consumer: TracedCall,
  ): ((leaf: JsonValue) => boolean) | undefined {
    const [from, to] = [this.#above(producer.task), this.#above(consumer.task)];
    const isInside =
      producer.task.id === consumer.task.id ||
      to.some(({ task }) => task.id === producer.task.id) ||
      from.some(({ task }) => task.id === consumer.task.id);
    if (isInside) return undefined;
    const left = from.filter((one) => !to.includes(one));
    const entered = to.filter((one) => !from.includes(one));
    // What goes in is there when the outermost is entered, and comes out when that is left.
    const at = (entered.at(-1) ?? consumer).startedAt;
    const isOut = ({ end }: TracedCall) => end.type === 'task-completed' && end.at <= at;
    if (![producer, ...left].every(isOut)) return undefined;
    return (leaf) =>
      left.every(({ task }) => this.leavesOut(task).has(leaf)) &&
      entered.every(({ task }) => this.#leavesIn(task).has(leaf));
  }

  #leavesIn(task: Task): Leaves {
    return remembered(this.#in, task.id, () => leavesOf(this.argsOf(task)));
  }

  /** The capabilities that a call was made in, innermost first. */
  #above({ parent }: Task): readonly TracedCall[] {
    const above: TracedCall[] = [];
    for (let up = parent; up !== undefined; up = above.at(-1)?.task.parent) {
      const call = this.#calls.get(up);
      if (!call) break;
      above.push(call);
    }
    return above;
  }
}

function remembered(known: Map<TaskId, Leaves>, id: TaskId, make: () => Leaves): Leaves {
  const found = known.get(id) ?? make();
  known.set(id, found);
  return found;
}

/** Telling values and where they stand, `items[0].id`; the place nearest to the top of each. */
function leavesOf(value: JsonValue): Leaves {
  const leaves = new Map<JsonValue, string>();
  const found: [value: JsonValue, path: string][] = [[value, '']];
  for (const [one, path] of found) {
    for (const part of partsOf(one, path)) {
      if (found.length >= MOST_VALUES) break;
      found.push(part);
    }
    if (isTelling(one) && !leaves.has(one)) leaves.set(one, path);
  }
  return leaves;
}

function* partsOf(value: JsonValue, path: string): Generator<[value: JsonValue, path: string]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield [item as JsonValue, `${path}[${index}]`];
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) yield [item, path ? `${path}.${key}` : key];
  }
}

function isTelling(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length >= TELLING_CHARACTERS;
  return typeof value === 'number' && Math.abs(value) >= TELLING_NUMBER;
}
