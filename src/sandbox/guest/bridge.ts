import type { DescribeError } from './describe-error.js';
import type { Beginning, Primordials, Way } from './primordials.js';
import type { Promises } from './promises.js';
import type { Timers } from './timers.js';

/**
 * What the guest can do next: 0, something was done and there may be more; -1, it waits for calls;
 * -2, nothing will ever come; else it waits for this time, or for calls before it.
 */
export type GuestProgress = number;

/** Calls out, replies in, and what `mcp`, `cap` and `load` are. */
export function makeBridge(
  p: Primordials,
  way: Way,
  tools: {
    readonly makeTimers: (p: Primordials, clock: () => number) => Timers;
    readonly describeError: DescribeError;
    readonly promises: Promises;
  },
) {
  interface Call {
    readonly resolve: (value: unknown) => void;
    readonly reject: (error: unknown) => void;
    /** Made where the call was made: it knows the line. */
    readonly site: Error;
  }
  interface Reply {
    readonly id: number;
    readonly isOk: boolean;
    readonly value: unknown;
    readonly now: number;
    next: Reply | undefined;
  }
  const open = new p.Map<number, Call>();
  let made = 0;
  let mostCalls = 0;
  let mostBytes = 0;
  let clock = 0;
  let firstReply: Reply | undefined;
  let lastReply: Reply | undefined;
  let hasEnded = false;

  const timers = tools.makeTimers(p, () => clock);
  const advance = (ms: number): void => {
    if (ms <= clock) return;
    clock = ms;
    way.setClock(ms);
  };
  const header = (fields: object): string => `${p.stringify(fields)}\n`;
  const end = (fields: object, body = ''): void => {
    if (hasEnded) return;
    hasEnded = true;
    way.finish(header(fields) + body);
  };
  const fail = (error: unknown): void =>
    end({ __proto__: null, type: 'threw', error: tools.describeError(error) });
  const stop = (limit: string): void => end({ __proto__: null, type: 'limit', limit });

  /** Of the errors a script gets for its calls; `name` and `code` are those of the host. */
  class ToolError extends p.Error {
    declare readonly code: string | undefined;
    constructor(message: string) {
      super(message);
      own(this, 'name', 'ToolError');
    }
  }
  const own = (target: object, key: string, value: unknown): void => {
    p.defineProperty(target, key, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    } as PropertyDescriptor);
  };
  const errorOf = (value: unknown, site: Error): Error => {
    const words = value as { name: string; message: string; code?: string };
    const error = new ToolError(words.message);
    own(error, 'name', words.name);
    if (p.hasOwn(words, 'code')) own(error, 'code', words.code);
    own(error, 'stack', site.stack);
    return error;
  };

  const call = (kind: string, name: string, args: unknown): Promise<unknown> => {
    if (hasEnded) throw new p.Error('the script has ended');
    const body = p.stringify(args === undefined ? {} : args);
    if (body === undefined) throw new p.TypeError(`${name}: its arguments are no JSON value`);
    if (body.length > mostBytes) {
      stop('output');
      throw new p.RangeError('too large');
    }
    if (made >= mostCalls) {
      stop('calls');
      throw new p.RangeError('too many calls');
    }
    made += 1;
    const id = made;
    const site = new p.Error();
    const promise = new p.Promise((resolve, reject) => {
      p.mapSet(open, id, { __proto__: null, resolve, reject, site });
    });
    way.post(`{"type":"call","id":${id},"kind":"${kind}","name":${p.stringify(name)}}\n${body}`);
    return tools.promises.guard(promise);
  };

  /** Told apart from names of servers and tools: what the language itself asks objects for. */
  const isLanguageKey = (key: unknown): boolean =>
    typeof key !== 'string' || key === 'then' || key === 'toJSON' || key === 'constructor';
  const refuse = () => {
    throw new p.TypeError('this cannot be changed');
  };
  const view = (target: () => unknown, get: (key: string) => unknown): unknown => {
    const seen = new p.Map<string, unknown>();
    // A function has these two; a frozen one would hide the tools of these names.
    delete (target as { name?: string }).name;
    delete (target as { length?: number }).length;
    return new p.Proxy(p.freeze(target), {
      __proto__: null,
      get(_: unknown, key: string | symbol): unknown {
        if (isLanguageKey(key)) return undefined;
        const name = key as string;
        const known = p.mapGet(seen, name);
        if (known !== undefined) return known;
        const made = get(name);
        p.mapSet(seen, name, made);
        return made;
      },
      has: () => true,
      ownKeys: () => [],
      getOwnPropertyDescriptor: () => undefined,
      getPrototypeOf: () => null,
      set: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
      setPrototypeOf: refuse,
      preventExtensions: refuse,
    } as ProxyHandler<() => unknown>);
  };
  const notCallable = (words: string) => () => {
    throw new p.TypeError(words);
  };
  const mcp = view(notCallable('call a tool: await mcp.server.tool(args)'), (server) =>
    view(notCallable(`mcp.${server} is a server: await mcp.${server}.tool(args)`), (tool) =>
      p.freeze((args: unknown) => call('tool', `${server}:${tool}`, args)),
    ),
  );
  const cap = view(notCallable('call a capability: await cap.name(args)'), (name) =>
    p.freeze((args: unknown) => call('capability', name, args)),
  );
  const load = (handle: unknown): Promise<unknown> => {
    if (typeof handle !== 'string') throw new p.TypeError('load needs a handle, which is a text');
    return call('load', handle, null);
  };

  const deliver = ({ id, isOk, value }: Reply): void => {
    const waiting = p.mapGet(open, id) as Call | undefined;
    if (waiting === undefined) return;
    p.mapDelete(open, id);
    if (isOk) waiting.resolve(value);
    else waiting.reject(errorOf(value, waiting.site));
  };
  return {
    __proto__: null,
    globals: { __proto__: null, mcp, cap, load, ToolError },
    timers: timers.globals,
    callsMade: () => made,
    begin({ now, calls, outputBytes }: Beginning): void {
      clock = now;
      mostCalls = calls;
      mostBytes = outputBytes;
      way.setClock(now);
    },
    reply(id: number, isOk: boolean, value: unknown, now: number): void {
      const one = { __proto__: null, id, isOk, value, now, next: undefined } as unknown as Reply;
      if (lastReply === undefined) firstReply = one;
      else lastReply.next = one;
      lastReply = one;
    },
    tick: (now: number): void => advance(now),
    /** Does one thing that was waited for. Timers that were due before a reply came go first. */
    next(): GuestProgress {
      const due = timers.nextDue();
      const reply = firstReply;
      const now = reply !== undefined && reply.now > clock ? reply.now : clock;
      if (due !== undefined && due <= now) {
        advance(due);
        timers.fire(fail);
        return 0;
      }
      if (reply === undefined) return due ?? (p.mapSize(open) > 0 ? -1 : -2);
      firstReply = reply.next;
      if (firstReply === undefined) lastReply = undefined;
      advance(reply.now);
      deliver(reply);
      return 0;
    },
    fail,
    /** The JSON of the result, if it has any. */
    returned(text: unknown): void {
      if (typeof text !== 'string') end({ __proto__: null, type: 'returned' }, 'null');
      else if (text.length > mostBytes) stop('output');
      else end({ __proto__: null, type: 'returned' }, text);
    },
  };
}

export type Bridge = ReturnType<typeof makeBridge>;
