import { expect, test } from 'vitest';

import { id } from '../../test/helpers/past-intent.js';
import { Reliability } from './reliability.js';

const calls = (count: number, ok: boolean) =>
  Array.from({ length: count }, () => ({ tool: id('a:b'), ok }));

test('a tool without calls has the usual reliability', () => {
  expect(new Reliability().rate(id('a:b'))).toBeCloseTo(0.9);
  expect(new Reliability().signal(id('a:b'))).toBeCloseTo(0);
});

test('failures lower reliability, one hardly and many much, and success earns nothing', () => {
  const after = (...made: ReturnType<typeof calls>[]) => {
    const reliability = new Reliability();
    for (const one of made) reliability.add(one);
    return reliability.signal(id('a:b'));
  };

  expect(after(calls(1, false))).toBeGreaterThan(-0.15);
  expect(after(calls(50, false))).toBeLessThan(-1.5);
  expect(after(calls(50, true))).toBe(0);
  expect(after(calls(5, false), calls(100, true))).toBeGreaterThan(after(calls(5, false)));
  expect(Number.isFinite(after(calls(10_000, false)))).toBe(true);
});
