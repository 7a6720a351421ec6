import type { Primordials, Way } from './primordials.js';

/**
 * `__op(site, receiver, method, …)`: does what `receiver.method(…)` does and keeps count. Beyond a
 * few thousand executions of one site only every sixty-fourth is looked at, and stands for all.
 */
export function makeOperations(p: Primordials, way: Way, callsMade: () => number) {
  interface Tally {
    readonly site: number;
    readonly afterCall: number;
    times: number;
    inputs: number;
    outputs: number;
    ms: number;
  }
  const looksAtEach = 2000;
  const looksAtOneIn = 64;
  const mostUntold = 200;
  const mostSites = 1_000_000;

  const tallies = new p.Map<number, Tally>();
  const seen = new p.Map<number, number>();
  let untold = '';
  let untoldCount = 0;

  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return 1;
    if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
    if (p.isArray(value)) return value.length;
    const kind = p.tag(value);
    if (kind === '[object Map]' || kind === '[object Set]') {
      const { size } = value as { size: unknown };
      return typeof size === 'number' ? size : 1;
    }
    return 1;
  };
  const put = (tally: Tally): void => {
    untold += (untold === '' ? '' : ',') + p.stringify(tally);
    untoldCount += 1;
  };
  const tellUntold = (): void => {
    if (untoldCount === 0) return;
    const body = `[${untold}]`;
    untold = '';
    untoldCount = 0;
    way.post(`${p.stringify({ __proto__: null, type: 'operated' })}\n${body}`);
  };
  const tallyOf = (site: number): Tally => {
    const known = p.mapGet(tallies, site) as Tally | undefined;
    const afterCall = callsMade();
    if (known !== undefined && known.afterCall === afterCall) return known;
    if (known !== undefined) put(known);
    if (untoldCount > mostUntold) tellUntold();
    const made = { __proto__: null, site, times: 0, inputs: 0, outputs: 0, ms: 0, afterCall };
    p.mapSet(tallies, site, made);
    return made as unknown as Tally;
  };
  const note = (site: number, inputs: number, result: unknown, times: number, ms: number): void => {
    const tally = tallyOf(site);
    tally.times += times;
    tally.inputs += inputs * times;
    tally.outputs += sizeOf(result) * times;
    tally.ms += ms * times;
  };
  const isPromise = (value: unknown): value is Promise<unknown> =>
    typeof value === 'object' && value !== null && p.isPrototypeOf(p.PromisePrototype, value);

  type Receiver = Record<PropertyKey, (...args: unknown[]) => unknown>;
  const perform = (receiver: Receiver, method: PropertyKey, args: unknown[]): unknown => {
    const found = receiver[method];
    if (typeof found !== 'function') throw new p.TypeError(`${p.text(method)} is not a function`);
    return p.apply(found, receiver, args);
  };
  const operate = (
    site: number,
    receiver: Receiver,
    method: PropertyKey,
    ...args: unknown[]
  ): unknown => {
    if (!p.isInteger(site) || site < 0 || site > mostSites) return perform(receiver, method, args);
    const before = (p.mapGet(seen, site) as number | undefined) ?? 0;
    p.mapSet(seen, site, before + 1);
    const isSampled = before >= looksAtEach;
    if (isSampled && before % looksAtOneIn !== 0) return perform(receiver, method, args);
    const times = isSampled ? looksAtOneIn : 1;
    const inputs = sizeOf(receiver);
    const start = way.elapsed();
    const result = perform(receiver, method, args);
    if (isPromise(result)) {
      const settled = (value: unknown) => note(site, inputs, value, times, way.elapsed() - start);
      try {
        p.afterPromise(result, settled, () => settled(undefined));
      } catch {
        // A promise whose constructor the script changed: it is not watched.
      }
    } else note(site, inputs, result, times, way.elapsed() - start);
    return result;
  };
  return {
    __proto__: null,
    operate,
    /** Tells everything that was not told yet. */
    tell(): void {
      p.mapEach(tallies, put);
      p.mapClear(tallies);
      tellUntold();
    },
  };
}
