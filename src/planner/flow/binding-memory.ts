import {
  evidenceWeight,
  type ExecutionTrace,
  type PastBinding,
  type ToolId,
} from '../../core/index.js';

/**
 * What past executions show about values that go from one tool to another. `evidenceWeight` says how
 * much an execution counts. If neither an agent nor a person confirmed a guess of PML, the guess counts
 * neither for a flow nor against one, so running a guess changes no score.
 */
export interface PairMemory {
  /** Executions in which both were called. */
  readonly together: number;
  /** Executions of `together` whose order does not come from a guess. */
  readonly ordered: number;
  /** Executions of `ordered` that called the producer first. */
  readonly inOrder: number;
  /** Executions of `together` that recorded where values went. Only they can contradict a flow. */
  readonly recorded: number;
  /** Executions of `recorded` in which a value went from the producer to the consumer. */
  readonly flowed: number;
  /** The number of executions in `flowed`, unweighted, for messages. */
  readonly flowedRuns: number;
  /** How often which field went into which parameter, most often first; either may be unknown. */
  readonly flows: readonly LearnedFlow[];
}

export interface LearnedFlow {
  readonly field?: string;
  readonly param?: string;
  readonly times: number;
  /** In how many executions an agent or a person wrote this flow, or approved it. */
  readonly meant: number;
  /** The value was only a part of the argument. */
  readonly isPart?: true;
}

/** How often something happened, and how often it could have happened. */
export interface Rate {
  readonly times: number;
  readonly chances: number;
}

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

interface Pair {
  /** The answer, kept ready: callers read it far more often than it changes. */
  readonly told: Mutable<PairMemory>;
  readonly flows: Map<string, LearnedFlow>;
  areFlowsTold: boolean;
}

const NEVER: PairMemory = {
  together: 0,
  ordered: 0,
  inOrder: 0,
  recorded: 0,
  flowed: 0,
  flowedRuns: 0,
  flows: [],
};

/** Which values went where in past executions. It only grows: to forget, build a new memory. */
export class BindingMemory {
  readonly #pairs = new Map<ToolId, Map<ToolId, Pair>>();
  readonly #gave = new Rates<ToolId>();
  readonly #took = new Rates<ToolId>();
  readonly #tookInto = new Map<string, number>();
  readonly #tookSomewhere = new Map<ToolId, number>();
  /**
   * The part of `#tookSomewhere` that does not count for a parameter, because PML guessed its
   * value.
   */
  readonly #guessedInto = new Map<string, number>();

  add(trace: ExecutionTrace): void {
    if (trace.calls.length < 2 && trace.bindings.length === 0) return;
    const firstPlace = new Map<ToolId, number>();
    trace.calls.forEach(({ tool, ok }, place) => {
      if (ok && !firstPlace.has(tool)) firstPlace.set(tool, place);
    });
    const flows = weighFlows(trace);
    const isRecorded = flows.length > 0;
    // A guess may have displaced other values and other calls.
    const sure = Math.min(1, ...flows.map(({ weight }) => weight));
    const most = mostOf(flows);
    for (const [from, fromPlace] of firstPlace) {
      for (const [to, toPlace] of firstPlace) {
        if (from === to) continue;
        const { told } = this.#pair(from, to);
        told.together += 1;
        told.ordered += sure;
        if (fromPlace < toPlace) told.inOrder += sure;
        if (isRecorded) told.recorded += most.pair.get(`${from}\n${to}`) ?? sure;
      }
    }
    if (!isRecorded) return;
    for (const tool of firstPlace.keys()) {
      this.#gave.add(tool, most.gave.get(tool), sure);
      this.#took.add(tool, most.took.get(tool), sure);
    }
    this.#addFlows(flows, most);
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
    return this.#gave.of(tool);
  }

  /** How often a tool took values of another one. */
  took(tool: ToolId): Rate {
    return this.#took.of(tool);
  }

  /** How often it took them into this parameter, when it is known into which it took any. */
  tookInto(tool: ToolId, param: string): Rate {
    const key = `${tool}\n${param}`;
    const chances = (this.#tookSomewhere.get(tool) ?? 0) - (this.#guessedInto.get(key) ?? 0);
    return { times: this.#tookInto.get(key) ?? 0, chances };
  }

  /** How often a tool gives on the whole, which is as often as one takes. */
  get usualRate(): number {
    const { times, chances } = this.#gave.all;
    return chances === 0 ? 0 : times / chances;
  }

  #addFlows(flows: readonly WeighedFlow[], most: MostOfFlows): void {
    for (const [key, weight] of most.pair) {
      if (weight === 0) continue;
      const [from, to] = key.split('\n') as [ToolId, ToolId];
      const { told } = this.#pair(from, to);
      told.flowed += weight;
      told.flowedRuns += 1;
    }
    for (const [tool, weight] of most.somewhere) count(this.#tookSomewhere, tool, weight);
    for (const [key, weight] of most.into) {
      const somewhere = most.somewhere.get(key.split('\n')[0] as ToolId) ?? 0;
      count(this.#tookInto, key, weight);
      if (somewhere > weight) count(this.#guessedInto, key, somewhere - weight);
    }
    const seen = new Set<string>();
    // If an execution has the same flow twice, the heavier one counts.
    for (const flow of flows.toSorted((a, b) => b.weight - a.weight)) {
      const { producer, consumer, field, param, isPart, weight } = flow;
      const key = [producer, consumer, field, param, isPart].join('\n');
      if (producer === consumer || weight === 0 || seen.has(key)) continue;
      seen.add(key);
      const pair = this.#pair(producer, consumer);
      pair.areFlowsTold = false;
      addFlow(pair.flows, flow);
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

/** How often tools did something, and how often they could have. */
class Rates<Key> {
  readonly #times = new Map<Key, number>();
  readonly #chances = new Map<Key, number>();
  #all = { times: 0, chances: 0 };

  get all(): Rate {
    return this.#all;
  }

  /**
   * Adds one chance: `did` is the weight of what happened; if nothing happened, `sure` is the
   * weight.
   */
  add(key: Key, did: number | undefined, sure: number): void {
    const times = did ?? 0;
    const chances = did ?? sure;
    count(this.#times, key, times);
    count(this.#chances, key, chances);
    this.#all = { times: this.#all.times + times, chances: this.#all.chances + chances };
  }

  of(key: Key): Rate {
    return { times: this.#times.get(key) ?? 0, chances: this.#chances.get(key) ?? 0 };
  }
}

interface WeighedFlow {
  readonly producer: ToolId;
  readonly consumer: ToolId;
  readonly field: string | undefined;
  readonly param: string | undefined;
  readonly isPart: boolean;
  readonly weight: number;
  /** An agent or a person wrote this flow, or approved it. */
  readonly isMeant: boolean;
}

function weighFlows(trace: ExecutionTrace): readonly WeighedFlow[] {
  const { calls, bindings, source } = trace;
  return bindings.flatMap((binding): WeighedFlow[] => {
    const { from, to, field, param, origin } = binding;
    const [producer, consumer] = [calls[from]?.tool, calls[to]?.tool];
    if (!producer || !consumer) return [];
    const isPart = isPartOf(binding, source === 'live' ? bindings : []);
    const weight = evidenceWeight(origin, trace);
    return [{ producer, consumer, field, param, isPart, weight, isMeant: weight === 1 }];
  });
}

type MostOfFlows = ReturnType<typeof mostOf>;

/** For each thing that is counted: the weight of the heaviest flow in one execution. */
function mostOf(flows: readonly WeighedFlow[]) {
  const pair = new Map<string, number>();
  const gave = new Map<ToolId, number>();
  const took = new Map<ToolId, number>();
  const somewhere = new Map<ToolId, number>();
  const into = new Map<string, number>();
  for (const { producer, consumer, param, weight } of flows) {
    if (producer === consumer) continue;
    raise(pair, `${producer}\n${consumer}`, weight);
    raise(gave, producer, weight);
    raise(took, consumer, weight);
    if (param === undefined) continue;
    raise(somewhere, consumer, weight);
    raise(into, `${consumer}\n${param}`, weight);
  }
  return { pair, gave, took, somewhere, into };
}

function raise<Key>(weights: Map<Key, number>, key: Key, weight: number): void {
  weights.set(key, Math.max(weights.get(key) ?? 0, weight));
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

function addFlow(flows: Map<string, LearnedFlow>, flow: WeighedFlow): void {
  const { field, param, isPart, weight, isMeant } = flow;
  const key = `${field}\n${param}\n${isPart}`;
  const { times = 0, meant = 0 } = flows.get(key) ?? {};
  flows.set(key, {
    ...(isPart && { isPart: true }),
    ...(field !== undefined && { field }),
    ...(param !== undefined && { param }),
    times: times + weight,
    meant: meant + (isMeant ? 1 : 0),
  });
}

function count<Key>(counts: Map<Key, number>, key: Key, weight: number): void {
  counts.set(key, (counts.get(key) ?? 0) + weight);
}

function compareFlows(a: LearnedFlow, b: LearnedFlow): number {
  const [x, y] = [`${a.field}\n${a.param}`, `${b.field}\n${b.param}`];
  return x < y ? -1 : Number(x > y);
}

/** If weights of one half make the counts fractional, the text says so. */
export function shareInWords(times: number, chances: number): string {
  const isWhole = Number.isInteger(times) && Number.isInteger(chances);
  const said = (count: number) => String(Math.round(count * 10) / 10);
  return `${said(times)} of ${said(chances)} executions${isWhole ? '' : ' (unconfirmed values count half)'}`;
}
