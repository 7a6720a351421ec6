import type { Primordials } from './primordials.js';

/**
 * Promises that a script takes for data. JSON shows a promise as `{}`, and a property of it is
 * `undefined`: the script would go on with nothing. So a call gives a promise that says what is
 * missing when it is read, and a promise in JSON is refused. In the result of a script promises are
 * awaited instead.
 */
export function makePromises(p: Primordials) {
  /** A promise whose value holds a promise, and so on: no script needs more. */
  const mostRounds = 20;
  const mostPromises = 10_000;
  const words = 'this is a promise, not its value: write `await` before the call that gives it';

  interface Found {
    readonly settled: Map<object, { readonly value: unknown }>;
    readonly open: Map<object, true>;
  }
  let found: Found | undefined;
  const refuse = (place: string): never => {
    throw new p.TypeError(place === '' ? words : `${place}: ${words}`);
  };
  p.defineProperty(p.PromisePrototype, 'toJSON', {
    __proto__: null,
    value(this: object, key: unknown): unknown {
      if (found === undefined) return refuse(p.text(key));
      const known = p.mapGet(found.settled, this) as { value: unknown } | undefined;
      if (known !== undefined) return known.value;
      p.mapSet(found.open, this, true);
      return null;
    },
    writable: true,
    configurable: true,
    enumerable: false,
  } as PropertyDescriptor);

  /** Stands between a call's promise and `Promise.prototype`, and is asked for what neither has. */
  const readable = (key: unknown): boolean =>
    key === 'then' || (typeof key === 'symbol' && key !== p.iterator && key !== p.toPrimitive);
  const between = new p.Proxy(p.create(p.PromisePrototype), {
    __proto__: null,
    get(target: object, key: string | symbol, receiver: unknown): unknown {
      if (p.has(target, key)) return p.get(target, key, receiver);
      return readable(key) ? undefined : refuse(typeof key === 'string' ? `.${key}` : '');
    },
  } as ProxyHandler<object>) as object;

  const stringify = (value: unknown, settled: Found['settled']) => {
    const round: Found = { __proto__: null, settled, open: new p.Map() } as unknown as Found;
    found = round;
    try {
      return { __proto__: null, text: p.stringify(value) as string | undefined, open: round.open };
    } finally {
      found = undefined;
    }
  };
  return {
    __proto__: null,
    /** Makes a promise of a call tell a script that reads it what it forgot. */
    guard<T>(promise: Promise<T>): Promise<T> {
      p.setPrototypeOf(promise, between);
      return promise;
    },
    /**
     * Hands on the JSON of a value, with the values of the promises in it. By callbacks, because a
     * script can change what `await` calls.
     */
    follow(value: unknown, done: (text: unknown) => void, fail: (error: unknown) => void): void {
      const settled = new p.Map<object, { value: unknown }>();
      let rounds = 0;
      const look = (): void => {
        const { text, open } = stringify(value, settled);
        let left = p.mapSize(open);
        if (left === 0) return done(text);
        rounds += 1;
        if (rounds > mostRounds || left + p.mapSize(settled) > mostPromises)
          throw new p.TypeError('the result holds too many promises: await them in the script');
        p.mapEach(open, (_: unknown, promise: unknown) => {
          const keep = (its: unknown): void => {
            p.mapSet(settled, promise, { __proto__: null, value: its });
            left -= 1;
            if (left === 0) attempt();
          };
          p.afterPromise(promise, keep, fail);
        });
      };
      const attempt = (): void => {
        try {
          look();
        } catch (error) {
          fail(error);
        }
      };
      attempt();
    },
  };
}

export type Promises = ReturnType<typeof makePromises>;
