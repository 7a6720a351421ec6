import { expect, test } from 'vitest';

import { aCall, aTrace, id } from '../../../test/helpers/graph-samples.js';
import { pairKey, pastPlan, splitPair } from './past-plan.js';

test('the calls inside a capability, operations of code and what is built in are no steps', () => {
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

test('repetitions right after each other are one step, later ones another', () => {
  const trace = aTrace(['a:one', 'a:one', 'code:map', 'a:one', 'a:two', 'a:one']);

  expect(pastPlan(trace).steps).toEqual(['a:one', 'a:two', 'a:one']);
  expect(pastPlan(trace).tools).toEqual(['a:one', 'a:two']);
});

test('what never worked is a step and no tool of the plan', () => {
  const { steps, tools } = pastPlan(aTrace(['!a:one', '!a:two', 'a:two']));

  expect(steps).toEqual(['a:one', 'a:two']);
  expect(tools).toEqual(['a:two']);
});

test('values count where they went from step to step', () => {
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

test('nothing is said of values where none were recorded', () => {
  expect(pastPlan(aTrace(['a:one', 'a:two']))).not.toHaveProperty('flows');
  expect(pastPlan(aTrace(['a:one', 'a:one'], [{ from: 0, to: 1 }]))).not.toHaveProperty('flows');
});

test('what people rejected is told once, and what agents rejected is not', () => {
  const decisions = [
    { by: 'human', kind: 'reject', atMs: 0, tools: [id('a:drop'), id('a:drop')] },
    { by: 'user', kind: 'reject', atMs: 1, tools: [id('a:drop'), id('a:wipe')] },
    { by: 'agent', kind: 'reject', atMs: 2, tools: [id('a:other')] },
    { by: 'human', kind: 'approve', atMs: 3, tools: [id('a:send')] },
  ] as const;

  expect(pastPlan({ ...aTrace([]), decisions }).rejected).toEqual(['a:drop', 'a:wipe']);
});

test('an execution that belongs to no group is its own', () => {
  expect(pastPlan({ ...aTrace([]), id: 'r1' }).group).toBe('r1');
  expect(pastPlan({ ...aTrace([]), id: 'r1', group: 'g' }).group).toBe('g');
});

test('a pair can be told from the other way round', () => {
  expect(pairKey(id('a:one'), id('a:two'))).not.toBe(pairKey(id('a:two'), id('a:one')));
});
