/** Workflows with invalid input: the error names the place, and nothing is called. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Counter, createCounter, execute, firstText } from '../helpers/counter.js';
import type { PmlClient } from '../helpers/pml-client.js';

let counter: Counter;
let client: PmlClient;

beforeAll(async () => {
  counter = await createCounter();
  client = await counter.workspace.connect();
});

afterAll(() => counter[Symbol.asyncDispose]());

/** A valid task comes first: it would run if PML checked too late. */
const good = { id: 'good', tool: 'one:append', args: { key: 'good' } };
const refused = async (...tasks: readonly unknown[]) => {
  const answer = await execute(client, [good, ...tasks]);
  expect(answer.result?.['isError']).toBe(true);
  expect(counter.written()).toEqual([]);
  return firstText(answer);
};

// covers: RUN-CHECKED
test('error for an unknown tool lists the nearest names', async () => {
  const text = await refused({ id: 'x', tool: 'one:apend', args: { key: 'x' } });

  expect(text).toMatch(/^\[TOOL_UNKNOWN\].*task x.*one:apend/s);
  const [, near = ''] = /Near: (.*)/.exec(text) ?? [];
  expect(near.split(', ').length).toBeGreaterThan(1);
  expect(near).toMatch(/^one:append/);
});

test('error for arguments of the wrong type names task and path', async () => {
  const text = await refused({ id: 'x', tool: 'one:append', args: { key: 7, afterMs: 'long' } });

  expect(text).toMatch(/^\[ARGUMENTS_INVALID\]/);
  expect(text).toMatch(/task x: args\.key/);
  expect(text).toMatch(/task x: args\.afterMs/);
});

test('error names a required parameter that nothing can fill', async () => {
  const text = await refused({ id: 'x', tool: 'one:delete_all' });

  expect(text).toMatch(/^\[ARGUMENTS_INVALID\].*task x: args\.key is missing/s);
});

test('error names duplicate ids, self-dependencies, unknown dependencies and cycles', async () => {
  const twice = await refused({ ...good, args: { key: 'again' } });
  const itself = await refused({ ...good, id: 'x', needs: ['x'] });
  const nobody = await refused({ ...good, id: 'x', args: { key: { $ref: 'ghost.key' } } });
  const cycle = await refused(
    { ...good, id: 'p', needs: ['q'] },
    { ...good, id: 'q', needs: ['p'] },
  );

  expect(twice).toMatch(/^\[PLAN_INVALID\].*tasks\[1\].*good/s);
  expect(itself).toMatch(/^\[PLAN_(INVALID|HAS_CYCLE)\].*x/s);
  expect(nobody).toMatch(/^\[PLAN_INVALID\].*tasks\[1\].*ghost/s);
  expect(cycle).toMatch(/^\[PLAN_HAS_CYCLE\].*p.*q/s);
});

test('plan with ten thousand tasks is refused', async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ ...good, id: `t${at}` }));

  expect(await refused(...many)).toMatch(/^\[PLAN_INVALID\].*10,?001/s);
});

test('arguments of 5 MB reach a tool that takes them and are refused for one that does not', async () => {
  const long = 'x'.repeat(5_000_000);

  const taken = await execute(client, [{ tool: 'one:size', args: { text: long } }]);
  const wrong = await refused({ id: 'x', tool: 'one:append', args: { key: [long] } });

  expect(firstText(taken)).toBe('5000000');
  expect(wrong).toMatch(/^\[ARGUMENTS_INVALID\].*task x: args\.key/s);
  expect(wrong.length).toBeLessThan(2_000);
});

test('arguments that nest too deep are refused, and the next request is served', async () => {
  const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;

  const answer = await execute(client, [
    good,
    { id: 'x', tool: 'one:size', args: { text: 't', data: deep } },
  ]);

  expect(firstText(answer)).toMatch(/deep|nest/i);
  expect(counter.written()).toEqual([]);
  expect(await client.text('pml_execute_workflow', { tasks: [{ tool: 'one:read' }] })).toBe('');
});
