import type { Primordials } from './primordials.js';

/**
 * Timers in virtual time: nothing is waited for. Which is due first, and of those the one that was
 * set first, is all that counts, so a script that is run again sees the same order.
 */
export function makeTimers(p: Primordials, clock: () => number) {
  interface Timer {
    readonly id: number;
    readonly due: number;
    readonly every: number | undefined;
    readonly run: () => unknown;
  }
  const timers = new p.Map<number, Timer>();
  let lastId = 0;

  const delayOf = (value: unknown): number => {
    const ms = p.number(value);
    return ms > 1 && ms < 2 ** 31 ? p.floor(ms) : 1;
  };
  const set = (run: unknown, delay: unknown, args: unknown[], isRepeated: boolean): number => {
    if (typeof run !== 'function') throw new p.TypeError('a timer needs a function');
    const ms = delayOf(delay);
    lastId += 1;
    const call = () => p.apply(run as () => unknown, undefined, args);
    p.mapSet(timers, lastId, {
      __proto__: null,
      id: lastId,
      due: clock() + ms,
      every: isRepeated ? ms : undefined,
      run: call,
    });
    return lastId;
  };
  const first = (): Timer | undefined => {
    let found: Timer | undefined;
    p.mapEach(timers, (timer: Timer) => {
      if (found === undefined || timer.due < found.due) found = timer;
    });
    return found;
  };
  return {
    __proto__: null,
    /** When the next one is due, or undefined. */
    nextDue: (): number | undefined => first()?.due,
    /** Runs the next one; what it throws is the script's affair and ends nothing else. */
    fire(onError: (error: unknown) => void): void {
      const timer = first();
      if (timer === undefined) return;
      p.mapDelete(timers, timer.id);
      if (timer.every !== undefined) {
        const due = timer.due + timer.every;
        p.mapSet(timers, timer.id, {
          __proto__: null,
          id: timer.id,
          due,
          every: timer.every,
          run: timer.run,
        });
      }
      try {
        timer.run();
      } catch (error) {
        onError(error);
      }
    },
    globals: {
      __proto__: null,
      setTimeout: (run: unknown, ms?: unknown, ...args: unknown[]) => set(run, ms, args, false),
      setInterval: (run: unknown, ms?: unknown, ...args: unknown[]) => set(run, ms, args, true),
      setImmediate: (run: unknown, ...args: unknown[]) => set(run, 0, args, false),
      clearTimeout: (id: unknown) => void p.mapDelete(timers, id),
      clearInterval: (id: unknown) => void p.mapDelete(timers, id),
      clearImmediate: (id: unknown) => void p.mapDelete(timers, id),
    },
  };
}

export type Timers = ReturnType<typeof makeTimers>;
