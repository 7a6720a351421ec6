/**
 * What the language is, taken before a script can change it. Everything in this folder is text for
 * the guest: each function stands alone, sees nothing but its parameters, and goes there by
 * `toString`.
 *
 * A script can replace every built-in and watch every property of every prototype. So guest code
 * here calls captured functions only, keeps what it knows in `Map`s and in objects without a
 * prototype, and never iterates, spreads or appends to an array.
 */
export function capturePrimordials() {
  const { apply, defineProperty, get, getOwnPropertyDescriptor, getPrototypeOf, has, ownKeys } =
    Reflect;
  type Method = (...args: never[]) => unknown;
  const { bind, call } = Function.prototype as unknown as Record<'bind' | 'call', () => unknown>;
  /** Bound once, so that nothing is looked up when it is called. */
  const uncurry = <R>(method: Method) =>
    apply(bind, call, [method]) as (self: unknown, ...args: unknown[]) => R;
  /** A method as a function of its receiver. */
  const bare = <R>(of: object, name: string) =>
    uncurry<R>((of as Record<string, Method>)[name] as Method);
  const getter = <R>(of: object, name: string) =>
    uncurry<R>(getOwnPropertyDescriptor(of, name)?.get as Method);
  return {
    __proto__: null,
    apply,
    defineProperty,
    get,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    has,
    ownKeys,
    setPrototypeOf: Reflect.setPrototypeOf,
    create: Object.create as (prototype: object) => object,
    iterator: Symbol.iterator,
    toPrimitive: Symbol.toPrimitive,
    bare,
    freeze: Object.freeze,
    isArray: Array.isArray,
    hasOwn: Object.hasOwn,
    arrayFrom: Array.from,
    stringify: JSON.stringify,
    text: String,
    number: Number,
    isInteger: Number.isInteger,
    isFinite: Number.isFinite,
    floor: Math.floor,
    abs: Math.abs,
    imul: Math.imul,
    Map,
    Promise,
    Proxy,
    Error,
    TypeError,
    RangeError,
    ErrorPrototype: Error.prototype as object,
    PromisePrototype: Promise.prototype as object,
    isPrototypeOf: bare<boolean>(Object.prototype, 'isPrototypeOf'),
    afterPromise: bare<unknown>(Promise.prototype, 'then'),
    mapGet: bare<unknown>(Map.prototype, 'get'),
    mapSet: bare<unknown>(Map.prototype, 'set'),
    mapDelete: bare<boolean>(Map.prototype, 'delete'),
    mapClear: bare<void>(Map.prototype, 'clear'),
    mapEach: bare<void>(Map.prototype, 'forEach'),
    setEach: bare<void>(Set.prototype, 'forEach'),
    mapSize: getter<number>(Map.prototype, 'size'),
    setSize: getter<number>(Set.prototype, 'size'),
    slice: bare<string>(String.prototype, 'slice'),
    indexOf: bare<number>(String.prototype, 'indexOf'),
    exec: bare<readonly string[] | null>(RegExp.prototype, 'exec'),
    padStart: bare<string>(String.prototype, 'padStart'),
    toFixed: bare<string>(Number.prototype, 'toFixed'),
    radix: bare<string>(Number.prototype, 'toString'),
    isoDate: bare<string>(Date.prototype, 'toISOString'),
    dateTime: bare<number>(Date.prototype, 'getTime'),
    regExpText: bare<string>(RegExp.prototype, 'toString'),
    symbolText: bare<string>(Symbol.prototype, 'toString'),
    tag: bare<string>(Object.prototype, 'toString'),
  };
}

export type Primordials = ReturnType<typeof capturePrimordials>;

/** What the process around the guest gives it: its only way out, and nothing a script can name. */
export interface Way {
  /** A header in JSON, a line break, a body. */
  post(frame: string): void;
  /** The last frame of a script. */
  finish(frame: string): void;
  /** What `Date` shows. */
  setClock(ms: number): void;
  /** Real time, for measuring. */
  elapsed(): number;
}

/** What a script is begun with. */
export interface Beginning {
  readonly seed: number;
  readonly now: number;
  readonly calls: number;
  readonly logLines: number;
  readonly outputBytes: number;
}
