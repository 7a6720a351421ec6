import { expect, test } from 'vitest';

import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type ExecutionTrace, type JsonObject, silentLogger } from '../../core/index.js';
import { BindingLearner } from './binding-learner.js';
import { planWorkflow } from './plan-workflow.js';

const text = { type: 'string' };
const object = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: [...names],
});
const THINGS = Array.from('abcdefghijklmn', (letter) => `thing${letter}`);
/** For each kind of thing one tool that finds it and one that takes its id. */
const TOOLS = [...THINGS, 'other'].flatMap((name) => [
  {
    name: `find_${name}`,
    inputSchema: object('query'),
    outputSchema: object(`${name}_id`, 'mark'),
  },
  { name: `open_${name}`, inputSchema: object(`${name}_id`) },
]);

/** The agent took the mark, though the names speak for the id. */
const traces = THINGS.map((name): ExecutionTrace => {
  const calls = [`fake:find_${name}`, `fake:open_${name}`];
  const bindings = [{ from: 0, to: 1, field: 'mark', param: `${name}_id` }];
  return served(name, `open a ${name}`, calls, { bindings });
});

test('a binding that names speak for stays open where such names misled before', async () => {
  const { workflows, discovery } = await runWorkflows({ tools: TOOLS });
  const tasks = [
    { id: 'find', tool: 'fake:find_other', args: { query: 'x' } },
    { id: 'open', tool: 'fake:open_other' },
  ];
  const planned = () => planWorkflow(workflows, tasks, { hasContext: false });
  expect((await planned()).bindings).toMatchObject([{ param: 'other_id', path: 'other_id' }]);
  await discovery.remember(traces);

  await workflows.bindings.learn();

  expect(workflows.bindings.learned?.heldOut).toMatchObject({ isBetter: true, groups: 14 });
  await expect(planned()).rejects.toThrow(/other_id is missing \(.*perhaps .*find\.other_id/);
});

test('PML learns once for many executions, beside the requests', async () => {
  let asked = 0;
  const claims = async () => {
    asked++;
    return [{ confidence: 0.9, isRight: true, group: 'g' }];
  };
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  await using learner = new BindingLearner({ claims, pause, log: silentLogger });

  learner.added(19);
  expect(asked).toBe(0);
  learner.added(1);
  learner.added(30);
  expect(learner.learned).toBeUndefined();

  await expect.poll(() => learner.learned?.heldOut.groups).toBe(1);
  expect(asked).toBe(1);
  expect(learner.correction).toEqual({});
});
