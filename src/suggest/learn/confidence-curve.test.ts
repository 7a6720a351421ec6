import fc from 'fast-check';
import { expect, test } from 'vitest';

import { correctedBy, fitCurve } from './confidence-curve.js';

const claims = (count: number, confidence: number, right: number) =>
  Array.from({ length: count }, (_, at) => ({ confidence, isRight: at < right }));

test('an empty curve changes no claim', () => {
  expect(correctedBy([], 0.4)).toBe(0.4);
});

test('claims that come true too rarely are lowered', () => {
  const curve = fitCurve([...claims(100, 0.2, 20), ...claims(100, 0.9, 50)]);

  expect(correctedBy(curve, 0.2)).toBeCloseTo(0.2, 1);
  expect(correctedBy(curve, 0.9)).toBeLessThan(0.6);
});

test('few claims change little', () => {
  const curve = fitCurve(claims(5, 0.9, 0));

  expect(correctedBy(curve, 0.9)).toBeCloseTo(0.6, 12);
});

test('the correction keeps the order of claims and stays between 0 and 1', () => {
  const claim = fc.record({
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    isRight: fc.boolean(),
  });
  const chance = fc.double({ min: 0, max: 1, noNaN: true });

  fc.assert(
    fc.property(fc.array(claim, { maxLength: 120 }), chance, chance, (all, one, other) => {
      const curve = fitCurve(all);
      const low = correctedBy(curve, Math.min(one, other));
      const high = correctedBy(curve, Math.max(one, other));

      expect(low).toBeLessThanOrEqual(high + 1e-12);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1 + 1e-12);
    }),
  );
});
