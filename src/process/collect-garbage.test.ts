import { expect, test } from 'vitest';

import { collectGarbage } from './collect-garbage.js';

/** Of about 100 MB; other tests share the heap, so no share of the whole will do. */
const LEAST_BYTES = 30_000_000;

test('memory that nothing needs any more is given back', async () => {
  let held: object[] = [];
  for (let made = 0; made < 1_000_000; made++) held.push({ made, text: `object ${made}` });
  const before = process.memoryUsage().heapTotal;

  held = held.filter((_, place) => place % 50 === 0);
  await collectGarbage();

  expect(process.memoryUsage().heapTotal).toBeLessThan(before - LEAST_BYTES);
  expect(held).toHaveLength(20_000);
});
