import type { ExecutionTrace, PastBinding, ToolId } from '../../core/index.js';

/** What past executions tell of one tool before another. */
export interface PairMemory {
  /** Executions in which both were called. */
  readonly together: number;
  /** Those of them in which the producer was called first. */
  readonly inOrder: number;
  /** Those of them that recorded where values went at all: only they can speak against a flow. */
  readonly recorded: number;
  /** Those of them in which a value went from the producer to the consumer. */
  readonly flowed: number;
  /** How often which field went into which parameter, most often first; either may be unknown. */
  readonly flows: readonly LearnedFlow[];
}

export interface LearnedFlow {
  readonly field?: string;
  readonly param?: string;
  readonly times: number;
  /** It was only a part of what the parameter was given. */
  readonly isPart?: true;
}

/** How often something happened among how many chances. */
export interface Rate {
  readonly times: number;
  readonly chances: number;
}

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

interface Pair {
  /** What is told of it: asked for far more often than it changes, so it is there already. */
  readonly told: Mutable<PairMemory>;
  readonly flows: Map<string, LearnedFlow>;
  areFlowsTold: boolean;
}

const NEVER: PairMemory = { together: 0, inOrder: 0, recorded: 0, flowed: 0, flows: [] };

/** Which values went where in past executions. Grows with each; nothing is forgotten but by making a new one. */
export class BindingMemory {
  readonly #pairs = new Map<ToolId, Map<ToolId, Pair>>();
  /** Recorded executions a tool was in, together with another one. */
  readonly #recorded = new Map<ToolId, number>();
  readonly #gave = new Map<ToolId, number>();
  readonly #took = new Map<ToolId, number>();
  readonly #tookInto = new Map<string, number>();
  readonly #tookSomewhere = new Map<ToolId, number>();
  #chances = 0;
  #times = 0;

  add(trace: ExecutionTrace): void {
    const firstPlace = new Map<ToolId, number>();
    trace.calls.forEach(({ tool, ok }, place) => {
      if (ok && !firstPlace.has(tool)) firstPlace.set(tool, place);
    });
    const isRecorded = trace.bindings.length > 0;
    for (const [from, fromPlace] of firstPlace) {
      for (const [to, toPlace] of firstPlace) {
        if (from === to) continue;
        const pair = this.#pair(from, to);
        pair.told.together += 1;
        if (fromPlace < toPlace) pair.told.inOrder += 1;
        if (isRecorded) pair.told.recorded += 1;
      }
    }
    if (!isRecorded) return;
    for (const tool of firstPlace.keys()) count(this.#recorded, tool);
    this.#chances += firstPlace.size;
    this.#addFlows(trace);
  }

  /** What is known of values going from one tool to another, until more is added. */
  pair(from: ToolId, to: ToolId): PairMemory {
    const pair = this.#pairs.get(from)?.get(to);
    if (!pair) return NEVER;
    if (!pair.areFlowsTold) {
      pair.told.flows = [...pair.flows.values()].toSorted(
        (a, b) => b.times - a.times || compareFlows(a, b),
      );
      pair.areFlowsTold = true;
    }
    return pair.told;
  }

  /** How often values of a tool went on to another one. */
  gave(tool: ToolId): Rate {
    return { times: this.#gave.get(tool) ?? 0, chances: this.#recorded.get(tool) ?? 0 };
  }

  /** How often a tool took values of another one. */
  took(tool: ToolId): Rate {
    return { times: this.#took.get(tool) ?? 0, chances: this.#recorded.get(tool) ?? 0 };
  }

  /** How often it took them into this parameter, when it is known into which it took any. */
  tookInto(tool: ToolId, param: string): Rate {
    const times = this.#tookInto.get(`${tool}\n${param}`) ?? 0;
    return { times, chances: this.#tookSomewhere.get(tool) ?? 0 };
  }

  /** How often a tool gives on the whole, which is as often as one takes. */
  get usualRate(): number {
    return this.#chances === 0 ? 0 : this.#times / this.#chances;
  }

  #addFlows({ calls, bindings, source }: ExecutionTrace): void {
    const seen = new Set<string>();
    const isFirst = (...key: readonly string[]) => {
      const text = key.join('\n');
      return !seen.has(text) && seen.add(text) !== undefined;
    };
    for (const binding of bindings) {
      const { from, to, field, param } = binding;
      const [producer, consumer] = [calls[from]?.tool, calls[to]?.tool];
      if (!producer || !consumer || producer === consumer) continue;
      const pair = this.#pair(producer, consumer);
      if (isFirst('pair', producer, consumer)) pair.told.flowed += 1;
      if (isFirst('gave', producer)) {
        count(this.#gave, producer);
        this.#times += 1;
      }
      if (isFirst('took', consumer)) count(this.#took, consumer);
      if (param !== undefined) {
        if (isFirst('somewhere', consumer)) count(this.#tookSomewhere, consumer);
        if (isFirst('into', consumer, param)) count(this.#tookInto, `${consumer}\n${param}`);
      }
      const isPart = isPartOf(binding, source === 'live' ? bindings : []);
      if (isFirst('flow', producer, consumer, String(field), String(param), String(isPart))) {
        pair.areFlowsTold = false;
        addFlow(pair.flows, {
          ...(isPart && { isPart: true }),
          ...(field !== undefined && { field }),
          ...(param !== undefined && { param }),
        });
      }
    }
  }

  #pair(from: ToolId, to: ToolId): Pair {
    let row = this.#pairs.get(from);
    if (!row) this.#pairs.set(from, (row = new Map()));
    let pair = row.get(to);
    if (!pair) {
      pair = { told: { ...NEVER }, flows: new Map(), areFlowsTold: true };
      row.set(to, pair);
    }
    return pair;
  }
}

/**
 * Several fields of one call in one parameter are parts of it, also in live executions from before
 * parts were recorded.
 */
function isPartOf(
  { from, to, field, param, part }: PastBinding,
  all: readonly PastBinding[],
): boolean {
  if (part) return true;
  if (param === undefined || field === undefined) return false;
  return all.some(
    (one) =>
      one.from === from &&
      one.to === to &&
      one.param === param &&
      one.field !== undefined &&
      one.field !== field,
  );
}

function addFlow(flows: Map<string, LearnedFlow>, flow: Omit<LearnedFlow, 'times'>): void {
  const key = `${flow.field}\n${flow.param}\n${flow.isPart}`;
  flows.set(key, { ...flow, times: (flows.get(key)?.times ?? 0) + 1 });
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function compareFlows(a: LearnedFlow, b: LearnedFlow): number {
  const [x, y] = [`${a.field}\n${a.param}`, `${b.field}\n${b.param}`];
  return x < y ? -1 : Number(x > y);
}
