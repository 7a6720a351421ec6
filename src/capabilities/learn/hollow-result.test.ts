import { expect, test } from 'vitest';

import type { JsonValue } from '../../core/index.js';
import { holdsHandle, isHollow } from './hollow-result.js';

test.each<[JsonValue, readonly JsonValue[], boolean]>([
  [[{}, {}, {}], [{ id: 1 }], true],
  [{}, [{ id: 1 }], true],
  [[[{}], {}], ['text'], true],
  [{}, [{}], false],
  [[{}, {}], [{ id: 1 }, {}], false],
  [[], [{ id: 1 }], false],
  [[{}, { id: 1 }], [{ id: 1 }], false],
  [null, [{ id: 1 }], false],
  ['', [{ id: 1 }], false],
])('a result %j of calls that gave %j is hollow: %s', (result, given, expected) => {
  expect(isHollow(result, given)).toBe(expected);
});

test.each([
  ['await load("r_0aZ_9xYkQ2-b")', true],
  ["const kept = 'r_AbCdEfGhIjKlMnOpQrStUv'; await load(kept)", true],
  ['await load(args.handle)', false],
  ['await mcp.db.query({ table: "r_customer_orders" })', false],
  ['const r_customerOrders1 = 5', false],
])('%s holds a handle: %s', (code, expected) => {
  expect(holdsHandle(code)).toBe(expected);
});
