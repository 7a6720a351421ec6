import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyTrace, aTrace, id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { PlanMemory } from './plan-memory.js';

const SEARCH = id('a:search_mail');
const GET = id('a:get_mail');

test('plan memory forgets the oldest executions with all their counts', () => {
  const few = new PlanMemory({ capacity: 2 });
  const fresh = new PlanMemory();
  const rejecting = {
    ...served('r0', 'drop', [SEARCH, GET]),
    decisions: [{ by: 'human', kind: 'reject', atMs: 0, tools: [id('a:drop')] }],
  } as const;
  const later = [served('r1', 'get', [GET, SEARCH]), served('r2', 'list', ['a:list_mail'])];

  for (const trace of [rejecting, ...later]) few.add(trace);
  for (const trace of later) fresh.add(trace);

  expect(few.get('r0')).toBeUndefined();
  expect(few.size).toBe(2);
  expect(few.requests).toBe(3);
  expect(few.rejections(id('a:drop'))).toBe(0);
  expect(few.verbLift(SEARCH, GET)).toBe(fresh.verbLift(SEARCH, GET));
  expect(few.verbLift(GET, SEARCH)).toBe(fresh.verbLift(GET, SEARCH));
});

test('verb that followed another is likelier after it, whatever the server', () => {
  const memory = new PlanMemory();
  memory.add(served('r1', 'find', [SEARCH, GET]));

  // One of two steps gets: 1.5 of 22. After the one search: (1 + 3 × base) of 4.
  const base = 1.5 / 22;
  const lift = Math.log((1 + 3 * base) / 4 / base);
  expect(memory.verbLift(SEARCH, GET)).toBeCloseTo(lift, 12);
  expect(memory.verbLift(id('b:search'), id('b:get_user'))).toBeCloseTo(lift, 12);
  expect(memory.verbLift(GET, SEARCH)).toBeLessThanOrEqual(0);
});

test('verb lift is neutral for verbs that were never seen', () => {
  expect(new PlanMemory().verbLift(SEARCH, GET)).toBeCloseTo(0, 12);
});

test('plan memory counts a rejected tool once per execution', () => {
  const memory = new PlanMemory();
  const decision = { by: 'user', kind: 'reject', atMs: 0, tools: [SEARCH] } as const;
  memory.add({ ...aTrace([]), id: 'r1', decisions: [decision, decision] });
  memory.add({ ...aTrace([]), id: 'r2', decisions: [decision] });

  expect(memory.rejections(SEARCH)).toBe(2);
});

test('plan memory does not keep executions without steps', () => {
  const memory = new PlanMemory();
  memory.add(aTrace(['code:map', 'pml:read_result']));

  expect(memory.size).toBe(0);
});

test('plan memory does not change when an execution is added twice', () => {
  fc.assert(
    fc.property(fc.array(anyTrace, { maxLength: 6 }), (traces) => {
      const named = traces.map((trace, place) => ({ ...trace, id: `r${place}` }));
      const [once, twice] = [new PlanMemory(), new PlanMemory()];
      for (const trace of named) once.add(trace);
      for (const trace of [...named, ...named]) twice.add(trace);

      expect([twice.size, twice.requests]).toEqual([once.size, once.requests]);
      expect(twice.verbLift(id('a:one'), id('a:two'))).toBe(
        once.verbLift(id('a:one'), id('a:two')),
      );
    }),
  );
});
