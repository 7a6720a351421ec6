import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows, type RunWorkflowsOptions } from '../../../test/helpers/run-workflows.js';
import { type ExecutionTrace, type JsonObject, runId, type ToolId } from '../../core/index.js';
import type { DiscoveryStatus } from '../../discovery/index.js';
import { serveRead } from '../../gateway/handlers/serve-read.js';
import { graphOf } from '../../graph/index.js';
import { serveWorkflow } from '../serve-workflow.js';
import { suggestWorkflow } from './suggest-workflow.js';

const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => {
  return { type: 'object', properties, required: Object.keys(properties) };
};
const READS = { annotations: { readOnlyHint: true } };
const TOOLS: readonly JsonObject[] = [
  {
    name: 'find_user',
    description: 'Finds a user by the mail address',
    inputSchema: object({ email: { ...text, format: 'email' } }),
    outputSchema: object({ user_id: text }),
    ...READS,
  },
  {
    name: 'get_orders',
    description: 'Gets the orders of a user',
    inputSchema: object({ user_id: text }),
    outputSchema: object({
      orders: { type: 'array', items: object({ total: { type: 'number' } }) },
    }),
    ...READS,
  },
  {
    name: 'cancel_order',
    description: 'Cancels an order',
    inputSchema: object({ order_id: text, reason: text }),
  },
  {
    name: 'get_weather',
    description: 'Weather of a city',
    inputSchema: object({ city: text }),
    ...READS,
  },
];

const INTENT = 'get the orders of the user with the mail address ann@example.com';
const flow = { bindings: [{ from: 0, to: 1, field: 'user_id', param: 'user_id' }] };
const PAST = Array.from({ length: 30 }, (_, place) =>
  served(
    `r${place}`,
    `get the orders of the user with the mail address u${place}@example.com`,
    ['fake:find_user', 'fake:get_orders'],
    flow,
  ),
);

/** A gateway that has seen some executions and learned from them. */
async function taught(traces: readonly ExecutionTrace[] = [], options: RunWorkflowsOptions = {}) {
  const made = await runWorkflows({ tools: TOOLS, ...options });
  await made.discovery.remember(traces);
  made.workflows.remember(traces);
  made.workflows.graph.apply(graphOf(traces));
  await made.workflows.suggester.learn();
  const ask = async (args: JsonObject): Promise<JsonObject> => {
    const full = { detail: 'full', ...args };
    const answer = await serveWorkflow(made.workflows, full, fakeClient('a').context);
    return answer.structuredContent as JsonObject;
  };
  return { ...made, ask };
}

describe('an intent that was served before', () => {
  const past = taught(PAST, {
    answers: {
      find_user: { content: [], structuredContent: { user_id: 'u7' } },
      get_orders: { content: [], structuredContent: { orders: [{ total: 3 }] } },
    },
  });

  test('an intent that was served before gets a whole plan, with its bindings and reasons', async () => {
    const { ask } = await past;

    const answer = await ask({ intent: INTENT });

    expect(answer).toMatchObject({
      status: 'suggested',
      mode: 'speculative_execution',
      ready: true,
      layers: [['find_user'], ['get_orders']],
      tasks: [
        { id: 'find_user', tool: 'fake:find_user', args: { email: 'ann@example.com' }, needs: [] },
        {
          id: 'get_orders',
          tool: 'fake:get_orders',
          args: { user_id: { $ref: 'find_user.user_id' } },
          needs: ['find_user'],
        },
      ],
      holes: [],
      approvals: [],
      values: [{ to: 'find_user.email', value: 'ann@example.com' }],
      why: {
        direct: [expect.stringMatching(/^fake:find_user → fake:get_orders .*30 of 30 past runs/)],
        runs: [{ intent: PAST[0]!.intent }, {}, {}],
        against: [],
      },
    });
    expect(answer['confidence']).toBeGreaterThan(0.85);
    expect(answer['confidence']).toBeLessThanOrEqual(1);
    expect(answer['others']).toHaveLength(5);
  });

  // covers: RUN-OWNED
  test('a suggestion shows past runs without their ids, which would give access to them', async () => {
    const { ask } = await past;

    const { why } = (await ask({ intent: INTENT })) as { why: { runs: object[] } };

    expect(why.runs.map((run) => Object.keys(run))).toEqual(
      Array.from({ length: 3 }, () => ['intent', 'share']),
    );
  });

  test('a suggestion runs nothing', async () => {
    const { ask, tools, log } = await past;

    await ask({ intent: INTENT });
    await ask({ intent: INTENT, mode: 'dry_run' });
    await ask({ intent: INTENT, mode: 'suggest' });

    expect(tools.calls).toEqual([]);
    expect(await log.list({ limit: 1 })).toEqual([]);
  });

  test('a suggestion for the same intent is the same twice', async () => {
    const { ask } = await past;

    expect(await ask({ intent: INTENT })).toEqual(await ask({ intent: INTENT }));
  });

  test('a suggested plan can be sent back unchanged', async () => {
    const { ask, tools } = await past;
    const { tasks } = await ask({ intent: INTENT });

    const planned = await ask({ tasks: tasks!, mode: 'dry_run' });
    const done = await ask({ tasks: tasks!, intent: INTENT });

    expect(planned).toMatchObject({ status: 'suggested', tasks, holes: [] });
    expect(done).toMatchObject({ status: 'completed' });
    expect(tools.calls).toEqual([
      ['fake:find_user', { email: 'ann@example.com' }],
      ['fake:get_orders', { user_id: 'u7' }],
    ]);
  });
});

describe('a new intent', () => {
  test('a new intent gets the nearest plan, and its missing arguments', async () => {
    const { ask } = await taught();

    const answer = await ask({ intent: 'cancel the order' });

    expect(answer).toMatchObject({
      status: 'suggested',
      ready: false,
      tasks: [{ id: 'cancel_order', tool: 'fake:cancel_order', needs: [] }],
      holes: [
        { task: 'cancel_order', param: 'order_id' },
        { task: 'cancel_order', param: 'reason' },
      ],
    });
    expect(answer['mode']).not.toBe('speculative_execution');
  });

  test('a new intent with unknown words makes PML ask the agent for tasks', async () => {
    const { ask } = await taught();

    expect(await ask({ intent: 'xyzzy plugh' })).toMatchObject({
      mode: 'explicit_required',
      confidence: 0,
      ready: false,
      next: expect.stringContaining('pml_discover'),
      tasks: [],
      others: [],
    });
  });

  test('a new intent that fits no plan well gets the nearest tools', async () => {
    const { ask } = await taught();

    const answer = await ask({ intent: 'a report on the city and its users and their every mail' });

    expect(answer).toMatchObject({ mode: 'explicit_required', ready: false });
    const { tasks, others } = answer as { tasks: unknown[]; others: unknown[] };
    expect(tasks.length + others.length).toBeGreaterThan(0);
  });

  test('a plan for a new intent puts independent tasks into one layer', async () => {
    const { ask } = await taught();

    const answer = await ask({ intent: 'find user by mail address; weather of the city' });

    expect(answer['layers']).toHaveLength(1);
  });
});

test.each([
  [{ intent: '' }, /intent is empty/],
  [{ intent: ' \n' }, /intent is empty/],
  [{ intent: ' ', mode: 'run' }, /intent is empty/],
])('a request %j is refused, and the error says what is missing', async (args, message) => {
  const { ask, tools } = await taught();

  await expect(ask(args)).rejects.toMatchObject({
    code: 'PLAN_INVALID',
    message: expect.stringMatching(message),
  });
  expect(tools.calls).toEqual([]);
});

test('pml_read takes code or tasks, and refuses an intent alone', async () => {
  const { workflows } = await taught();

  const reading = serveRead(workflows, { intent: INTENT }, fakeClient('a').context);

  await expect(reading).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('"code" or "tasks"'),
  });
});

test('a denied tool is never suggested', async () => {
  const permissions = { allow: [], ask: [], deny: ['fake:cancel_order'] };
  const { ask } = await taught(
    Array.from({ length: 3 }, (_, place) => {
      return served(`r${place}`, 'cancel the order', ['fake:cancel_order']);
    }),
    { changes: { permissions } },
  );

  const answer = await ask({ intent: 'cancel the order' });

  expect(JSON.stringify(answer['tasks'])).not.toContain('cancel_order');
  expect(JSON.stringify(answer['others'])).not.toContain('cancel_order');
});

test('a removed tool is never suggested', async () => {
  const { ask, list } = await taught([served('r1', 'cancel the order', ['fake:cancel_order'])]);

  list(TOOLS.filter(({ name }) => name !== 'cancel_order'));
  const answer = await ask({ intent: 'cancel the order' });

  expect(JSON.stringify(answer['tasks'])).not.toContain('cancel_order');
  expect(JSON.stringify(answer['others'])).not.toContain('cancel_order');
});

describe('a capability', () => {
  async function withCapability(...names: readonly string[]) {
    const made = await taught();
    const learned = made.workflows.tools.capabilities.learn({
      code: names.map((name) => `await mcp.fake.${name}({});`).join('\n'),
      intent: 'rotate the quarterly archive',
      run: runId('run_1'),
      calls: names.map((name) => ({ tool: `fake:${name}` as ToolId, ok: true })),
      definitionOf: (id) => made.workflows.tools.lockedDefinition(id),
      ms: 10,
    });
    if (learned.kind === 'refused') throw new Error(learned.reason);
    return { ...made, id: `cap:${learned.capability.name}` };
  }
  const suggested = ({ workflows }: Awaited<ReturnType<typeof withCapability>>) =>
    suggestWorkflow(workflows, 'rotate the quarterly archive');

  test('a capability that only reads is ready to run', async () => {
    const made = await withCapability('read_a', 'read_b');

    const { filled, isReady } = await suggested(made);

    expect(filled.plan.tasks).toMatchObject([{ tool: made.id }]);
    expect(isReady).toBe(true);
  });

  test('a capability that calls a risky tool is not ready to run', async () => {
    const made = await withCapability('read_a', 'delete_a');

    const { filled, isReady, mode } = await suggested(made);

    expect(filled.plan.tasks).toMatchObject([{ tool: made.id }]);
    expect(isReady).toBe(false);
    expect(mode).not.toBe('speculative_execution');
  });

  test('a capability that calls a denied tool is not suggested', async () => {
    const made = await withCapability('read_a', 'delete_a');
    const { settings } = made.workflows.tools;
    made.workflows.tools.configure({
      ...settings,
      permissions: { ...settings.permissions, deny: ['fake:delete_a'] },
    });

    const { filled, suggestion } = await suggested(made);

    const tools = [...filled.plan.tasks, ...suggestion.others].map(({ tool }) => tool);
    expect(tools).not.toContain(made.id);
  });
});

test('tools whose names give no valid task id still get one distinct id each', async () => {
  const tools = ['提醒', '提交', 'x'.repeat(80)].map((name) => {
    return { name, description: 'Feeds the parrot', inputSchema: { type: 'object' }, ...READS };
  });
  const traces = Array.from({ length: 3 }, (_, place) =>
    served(
      `r${place}`,
      'feed the parrot',
      tools.map(({ name }) => `fake:${name}`),
    ),
  );
  const { ask } = await taught(traces, { tools });

  const { tasks } = await ask({ intent: 'feed the parrot' });

  expect((tasks as readonly JsonObject[]).length).toBeGreaterThan(1);
  expect(await ask({ tasks: tasks!, mode: 'dry_run' })).toMatchObject({ status: 'suggested' });
});

describe('a plan that is made by words alone', () => {
  const asked = async (status: Partial<DiscoveryStatus>) => {
    const { ask, discovery } = await taught([]);
    const { status: known } = discovery;
    Object.defineProperty(discovery, 'status', { value: { ...known, ...status } });
    return ask({ intent: 'find mails' });
  };

  test('a plan made by words alone says that the model is loading, or why it failed', async () => {
    const loading = await asked({ state: { state: 'loading' } });
    const failed = await asked({ state: { state: 'failed', error: 'no such file' } });

    expect(loading).toMatchObject({
      note: expect.stringContaining('still loading') as string,
      why: { compared: 'words' },
    });
    expect(failed['note']).toBe('PML compared words alone: the model failed: no such file');
  });

  test('a plan made by words alone has no note if no model is configured', async () => {
    const answer = await asked({});

    expect(answer).not.toHaveProperty('note');
    expect(answer).toMatchObject({ why: { compared: 'words' } });
  });
});
