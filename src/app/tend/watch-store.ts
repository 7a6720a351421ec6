import type { FailedOperation } from '../../control/index.js';
import { messageOf } from '../../core/index.js';
import type { Store } from '../../store/index.js';

/** Nothing the daemon asks of its store takes so long, but for a graph that is made again. */
const STUCK_MS = 60_000;

/** What the store fails at now. An operation that works again is forgotten. */
export class StoreHealth {
  readonly #failing = new Map<string, FailedOperation>();
  readonly #open = new Set<{ what: string; at: Date; began: number }>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get failing(): readonly FailedOperation[] {
    const stuck = [...this.#open].flatMap(({ what, at, began }): FailedOperation[] => {
      const isStuck = performance.now() - began > STUCK_MS;
      if (!isStuck || this.#failing.has(what)) return [];
      return [{ what, error: 'it gives no answer', at, times: 1 }];
    });
    return [...this.#failing.values(), ...stuck];
  }

  /** Tells what becomes of an operation. */
  follow(what: string, work: Promise<unknown>): void {
    const open = { what, at: this.#now(), began: performance.now() };
    this.#open.add(open);
    work
      .then(
        () => this.#worked(what),
        (error: unknown) => this.#failed(what, error),
      )
      .finally(() => this.#open.delete(open));
  }

  #worked(what: string): void {
    this.#failing.delete(what);
  }

  #failed(what: string, error: unknown): void {
    const times = (this.#failing.get(what)?.times ?? 0) + 1;
    this.#failing.set(what, { what, error: messageOf(error), at: this.#now(), times });
  }
}

const WATCHED = [
  'catalog',
  'embeddings',
  'episodes',
  'experience',
  'graph',
  'ranking',
  'outputs',
  'capabilities',
  'results',
] as const satisfies readonly (keyof Store)[];

/**
 * The same store, with what becomes of its operations told to `health`. Writes go behind the answers and
 * their failures only into the log, so nothing else would show that what is learned is not kept.
 */
export function watchStore(store: Store, health: StoreHealth): Store {
  const watched = WATCHED.map((part) => [part, watchPart(part, store[part], health)] as const);
  return { ...store, ...(Object.fromEntries(watched) as Pick<Store, (typeof WATCHED)[number]>) };
}

function watchPart<Part extends object>(name: string, part: Part, health: StoreHealth): Part {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      const what = `${name}.${key}`;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        if (result instanceof Promise) health.follow(what, result);
        return result;
      };
    },
  });
}
