import type { Beginning, Primordials } from './primordials.js';

/** Chance that repeats itself: the same seed gives the same numbers (xoshiro128**). */
export function makeRandom(p: Primordials) {
  const { imul } = p;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const rotate = (x: number, k: number): number => (x << k) | (x >>> (32 - k));
  const word = (): number => {
    const result = imul(rotate(imul(b, 5), 7), 9);
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = rotate(d, 11);
    return result >>> 0;
  };
  /** Splitmix: neighbouring seeds start far apart. */
  const spread = (seed: number): (() => number) => {
    let state = seed | 0;
    return () => {
      state = (state + 0x9e3779b9) | 0;
      let z = state ^ (state >>> 16);
      z = imul(z, 0x21f0aaad);
      z ^= z >>> 15;
      z = imul(z, 0x735a2d97);
      return z ^ (z >>> 15);
    };
  };
  const hex = (digits: number): string => {
    let text = '';
    while (text.length < digits) text += p.padStart(p.radix(word(), 16), 8, '0');
    return p.slice(text, 0, digits);
  };
  return {
    __proto__: null,
    random: (): number => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53,
    crypto: p.freeze({
      __proto__: null,
      randomUUID: (): string => {
        const variant = p.radix(8 + (word() & 3), 16);
        return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
      },
      getRandomValues: <T extends { length: number; [index: number]: number }>(into: T): T => {
        for (let i = 0; i < into.length; i++) into[i] = word();
        return into;
      },
    }),
    begin({ seed }: Beginning): void {
      const next = spread(p.floor(seed) ^ p.floor(seed / 2 ** 32));
      a = next();
      b = next();
      c = next();
      d = next() | 1;
    },
  };
}
