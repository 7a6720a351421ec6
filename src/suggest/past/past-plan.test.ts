import { expect, test } from 'vitest';

import { aCall, aTrace, id } from '../../../test/helpers/graph-samples.js';
import { pairKey, pastPlan, splitPair } from './past-plan.js';

test('calls inside a capability, operations of code and built-in tools are not steps', () => {
  const trace = aTrace([
    'cap:report',
    aCall('a:inside', { parent: 0 }),
    'code:map',
    'pml:read_result',
    'a:send',
  ]);

  const plan = pastPlan(trace);

  expect(plan.steps).toEqual(['cap:report', 'a:send']);
  expect(plan.tools).toEqual(['cap:report', 'a:send']);
});

test('repeated calls in a row are one step, and a later repetition is another', () => {
  const trace = aTrace(['a:one', 'a:one', 'code:map', 'a:one', 'a:two', 'a:one']);

  expect(pastPlan(trace).steps).toEqual(['a:one', 'a:two', 'a:one']);
  expect(pastPlan(trace).tools).toEqual(['a:one', 'a:two']);
});

test('tool that never worked is a step, but not a tool of the plan', () => {
  const { steps, tools } = pastPlan(aTrace(['!a:one', '!a:two', 'a:two']));

  expect(steps).toEqual(['a:one', 'a:two']);
  expect(tools).toEqual(['a:two']);
});

test('flows count only values that went from one step to another', () => {
  const calls = ['cap:report', aCall('a:inside', { parent: 0 }), 'code:map', 'a:send', 'a:send'];
  const bindings = [
    { from: 0, to: 3 },
    { from: 1, to: 3 },
    { from: 2, to: 3 },
    { from: 3, to: 4 },
    { from: 3, to: 99 },
  ];

  const { flows } = pastPlan(aTrace(calls, bindings));

  expect([...(flows ?? [])].map(splitPair)).toEqual([['cap:report', 'a:send']]);
});

test('past plan has no flows if no values were recorded', () => {
  expect(pastPlan(aTrace(['a:one', 'a:two']))).not.toHaveProperty('flows');
  expect(pastPlan(aTrace(['a:one', 'a:one'], [{ from: 0, to: 1 }]))).not.toHaveProperty('flows');
});

test('past plan lists a tool that users rejected once, and none that agents rejected', () => {
  const decisions = [
    { by: 'human', kind: 'reject', atMs: 0, tools: [id('a:drop'), id('a:drop')] },
    { by: 'user', kind: 'reject', atMs: 1, tools: [id('a:drop'), id('a:wipe')] },
    { by: 'agent', kind: 'reject', atMs: 2, tools: [id('a:other')] },
    { by: 'human', kind: 'approve', atMs: 3, tools: [id('a:send')] },
  ] as const;

  expect(pastPlan({ ...aTrace([]), decisions }).rejected).toEqual(['a:drop', 'a:wipe']);
});

test('execution without a group is its own group', () => {
  expect(pastPlan({ ...aTrace([]), id: 'r1' }).group).toBe('r1');
  expect(pastPlan({ ...aTrace([]), id: 'r1', group: 'g' }).group).toBe('g');
});

test('pair key differs from the key of the reversed pair', () => {
  expect(pairKey(id('a:one'), id('a:two'))).not.toBe(pairKey(id('a:two'), id('a:one')));
});
