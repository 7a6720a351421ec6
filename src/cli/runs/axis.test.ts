import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createAxis, drawBar } from './axis.js';

const spans = fc.array(
  fc
    .tuple(fc.nat(1_000_000), fc.nat(100_000))
    .map(([startMs, ms]) => ({ startMs, endMs: startMs + ms })),
  { minLength: 1, maxLength: 12 },
);

test('bars stand side by side as the tasks did', () => {
  const [first, second] = [
    { startMs: 0, endMs: 100 },
    { startMs: 100, endMs: 200 },
  ];
  const axis = createAxis([first, second]);

  expect(drawBar(first, axis, 10)).toBe('█████     ');
  expect(drawBar(second, axis, 10)).toBe('     █████');
  expect(axis.leftOutMs).toBe(0);
});

test('a pause of days is drawn as a short one, and counted', () => {
  const [before, after] = [
    { startMs: 0, endMs: 500 },
    { startMs: 200_000_500, endMs: 200_001_000 },
  ];
  const axis = createAxis([before, after]);

  expect(drawBar(before, axis, 12)).toBe('█████       ');
  expect(drawBar(after, axis, 12)).toBe('       █████');
  expect(axis.leftOutMs).toBe(200_000_000 - 200);
});

test('every bar has the width of the chart and can be seen, whatever the times', () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 80 }), (all, width) => {
      const axis = createAxis(all);
      for (const span of all) {
        const bar = drawBar(span, axis, width);
        expect(bar).toHaveLength(width);
        expect(bar).toMatch(/^ *█+ *$/);
      }
    }),
  );
});

test('what began later is never drawn before what began earlier', () => {
  fc.assert(
    fc.property(spans, (all) => {
      const axis = createAxis(all);
      const places = all
        .toSorted((a, b) => a.startMs - b.startMs)
        .map((one) => axis.at(one.startMs));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
    }),
  );
});
