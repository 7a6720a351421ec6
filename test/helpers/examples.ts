import { type Example, type Signal, signalValues } from '../../src/ranking/index.js';

/** Numbers in [0, 1), always the same for a seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

export interface ExampleOptions {
  readonly count: number;
  /** What the tool that served has more of than the others. */
  readonly telling: Readonly<Partial<Record<Signal, number>>>;
  /** What some other tool has more of. */
  readonly misleading?: Readonly<Partial<Record<Signal, number>>>;
  readonly groupOf?: (place: number) => string;
}

/** Requests of ten candidates with random words and meaning, one of which served. */
export function examplesOf({
  count,
  telling,
  misleading = {},
  groupOf = (place) => `g${place}`,
}: ExampleOptions): readonly Example[] {
  const next = numbers(7);
  return Array.from({ length: count }, (_, place) => ({
    group: groupOf(place),
    candidates: Array.from({ length: 10 }, (_one, at) => {
      const noise = { words: next(), meaning: 2 * next(), vote: 0.1 * next(), near: next() };
      const more = at === place % 10 ? telling : at === (place + 1) % 10 ? misleading : {};
      const names = Object.keys({ ...noise, ...more }) as Signal[];
      const sum = (name: Signal) =>
        ((noise as Partial<Record<Signal, number>>)[name] ?? 0) + (more[name] ?? 0);
      return signalValues(Object.fromEntries(names.map((name) => [name, sum(name)])));
    }),
    isRight: Array.from({ length: 10 }, (_one, at) => at === place % 10),
    wanted: 1,
  }));
}

export const noPause = async (): Promise<void> => {};
