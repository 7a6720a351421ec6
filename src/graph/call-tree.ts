import type { ExecutionTrace, PastCall } from '../core/index.js';

/** A call with its place among the calls of its execution. */
export interface PlacedCall {
  readonly call: PastCall;
  readonly place: number;
}

/** Calls of one tool that one caller made right after each other. */
export type CallStep = readonly [PlacedCall, ...PlacedCall[]];

/** Who called whom in one execution. Records of others may be wrong: what cannot be is left out. */
export class CallTree {
  /** All calls in the order in which they began. */
  readonly calls: readonly PlacedCall[];
  readonly #byPlace: readonly PastCall[];

  constructor({ calls }: Pick<ExecutionTrace, 'calls'>) {
    this.#byPlace = calls;
    this.calls = inOrderOfStart(calls);
  }

  at(place: number): PastCall | undefined {
    return this.#byPlace[place];
  }

  parentOf(place: number): number | undefined {
    const parent = this.#byPlace[place]?.parent;
    return parent !== undefined && parent !== place && this.#byPlace[parent] ? parent : undefined;
  }

  /** The call itself, its caller, the caller of that, and so on. */
  lineOf(place: number): readonly number[] {
    const line = new Set<number>();
    for (let at: number | undefined = place; at !== undefined && !line.has(at);) {
      line.add(at);
      at = this.parentOf(at);
    }
    return [...line];
  }

  /** What each caller did, one step after the other. */
  *steps(): Generator<readonly CallStep[]> {
    const byCaller = new Map<number | undefined, [PlacedCall, ...PlacedCall[]][]>();
    for (const placed of this.calls) {
      const caller = this.parentOf(placed.place);
      const steps = byCaller.get(caller) ?? [];
      const last = steps.at(-1);
      if (last?.[0].call.tool === placed.call.tool) last.push(placed);
      else steps.push([placed]);
      byCaller.set(caller, steps);
    }
    yield* byCaller.values();
  }
}

/** What has no time of its own, as operations in code, began with what was recorded before it. */
function inOrderOfStart(calls: readonly PastCall[]): readonly PlacedCall[] {
  let latest = 0;
  return calls
    .map((call, place) => {
      if (Number.isFinite(call.startMs)) latest = call.startMs ?? latest;
      return { call, place, began: latest };
    })
    .toSorted((a, b) => a.began - b.began || a.place - b.place);
}
