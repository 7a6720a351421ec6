import { expect, test } from 'vitest';

import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import type { ExecutionTrace, JsonObject, PastBinding } from '../../core/index.js';
import { claimedBindings } from './claimed-bindings.js';

const text = { type: 'string' };
const object = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: [...names],
});
const TOOLS = [
  { name: 'find_order', inputSchema: object('number'), outputSchema: object('order_id', 'mail') },
  { name: 'find_parcel', inputSchema: object('number'), outputSchema: object('zone') },
  { name: 'send_invoice', inputSchema: object('order_id') },
];
const CALLS = ['fake:find_order', 'fake:find_parcel', 'fake:send_invoice'];

const ran = (id: string, ...bindings: readonly PastBinding[]): ExecutionTrace =>
  served(id, 'bill it', CALLS, { bindings });
const byName = { from: 0, to: 2, field: 'order_id', param: 'order_id' };
const odd = { from: 1, to: 2, field: 'zone', param: 'order_id' };

async function claimsOf(...traces: readonly ExecutionTrace[]) {
  const { workflows, discovery } = await runWorkflows({ tools: TOOLS });
  await discovery.remember(traces);
  return claimedBindings(workflows, async () => {});
}

test('a claimed source is right if the value came from it', async () => {
  const claims = await claimsOf(ran('a', byName), ran('b', odd));

  expect(claims.map(({ isRight }) => isRight)).toEqual([true, false]);
});

test('each execution is replayed with the knowledge from before it, never with its own bindings', async () => {
  const [first, ...later] = await claimsOf(ran('a', odd), ran('b', odd), ran('c', odd));

  expect(first?.isRight).toBe(false);
  expect(later.at(-1)?.isRight).toBe(true);
});

test('values that PML guessed, and parts of values, prove nothing', async () => {
  const guessed = { ...byName, origin: { source: 'inferred' } } as const;
  const part = { ...byName, part: {} };

  expect(await claimsOf(ran('a', guessed), ran('b', part))).toEqual([]);
});
