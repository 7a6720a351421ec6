import type { Primordials } from './primordials.js';

/**
 * Timers on the clock of the script, which others move. Which is due first, and of those the one that
 * was set first, is all that counts, so a script that is run again sees the same order.
 */
export function makeTimers(p: Primordials, clock: () => number) {
  /** In a pairing heap, which needs no array. One that was cleared stays in it until its turn. */
  interface Timer {
    readonly id: number;
    readonly due: number;
    /** Of those due at the same time the lower one goes first. */
    readonly order: number;
    readonly every: number | undefined;
    readonly run: () => unknown;
    child: Timer | undefined;
    sibling: Timer | undefined;
  }
  const known = new p.Map<number, Timer>();
  let root: Timer | undefined;
  let lastId = 0;
  let lastOrder = 0;

  const delayOf = (value: unknown): number => {
    const ms = p.number(value);
    return ms > 1 && ms < 2 ** 31 ? p.floor(ms) : 1;
  };
  const isBefore = (a: Timer, b: Timer): boolean =>
    a.due < b.due || (a.due === b.due && a.order < b.order);
  const merge = (a: Timer | undefined, b: Timer | undefined): Timer | undefined => {
    if (a === undefined || b === undefined) return a ?? b;
    const top = isBefore(b, a) ? b : a;
    const below = top === a ? b : a;
    below.sibling = top.child;
    top.child = below;
    return top;
  };
  /** The heap without its top: children are merged in pairs, then the pairs into one. */
  const withoutTop = (top: Timer): Timer | undefined => {
    let rest = top.child;
    let pairs: Timer | undefined;
    while (rest !== undefined) {
      const a = rest;
      const b = a.sibling;
      rest = b?.sibling;
      a.sibling = undefined;
      if (b !== undefined) b.sibling = undefined;
      const pair = merge(a, b) as Timer;
      pair.sibling = pairs;
      pairs = pair;
    }
    let merged: Timer | undefined;
    while (pairs !== undefined) {
      const next: Timer | undefined = pairs.sibling;
      pairs.sibling = undefined;
      merged = merge(merged, pairs);
      pairs = next;
    }
    return merged;
  };
  /** The next one that was not cleared. */
  const first = (): Timer | undefined => {
    while (root !== undefined && p.mapGet(known, root.id) !== root) root = withoutTop(root);
    return root;
  };
  const add = (id: number, due: number, every: number | undefined, run: () => unknown): void => {
    lastOrder += 1;
    const fields = { __proto__: null, id, due, order: lastOrder, every, run };
    const timer = { ...fields, __proto__: null, child: undefined, sibling: undefined };
    p.mapSet(known, id, timer);
    root = merge(root, timer as unknown as Timer);
  };
  const set = (run: unknown, delay: unknown, args: unknown[], isRepeated: boolean): number => {
    if (typeof run !== 'function') throw new p.TypeError('a timer needs a function');
    const ms = delayOf(delay);
    lastId += 1;
    const call = () => p.apply(run as () => unknown, undefined, args);
    add(lastId, clock() + ms, isRepeated ? ms : undefined, call);
    return lastId;
  };
  const clear = (id: unknown): void => void p.mapDelete(known, id);
  return {
    __proto__: null,
    /** When the next one is due, or undefined. */
    nextDue: (): number | undefined => first()?.due,
    /** Runs the next one. */
    fire(onError: (error: unknown) => void): void {
      const timer = first();
      if (timer === undefined) return;
      const { id, due, every, run } = timer;
      p.mapDelete(known, id);
      if (every !== undefined) add(id, due + every, every, run);
      try {
        run();
      } catch (error) {
        onError(error);
      }
    },
    globals: {
      __proto__: null,
      setTimeout: (run: unknown, ms?: unknown, ...args: unknown[]) => set(run, ms, args, false),
      setInterval: (run: unknown, ms?: unknown, ...args: unknown[]) => set(run, ms, args, true),
      setImmediate: (run: unknown, ...args: unknown[]) => set(run, 0, args, false),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    },
  };
}

export type Timers = ReturnType<typeof makeTimers>;
