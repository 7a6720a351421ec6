import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows, type RunWorkflowsOptions } from '../../../test/helpers/run-workflows.js';
import type { ExecutionTrace, JsonObject } from '../../core/index.js';
import { graphOf } from '../../graph/index.js';
import { serveWorkflow } from '../serve-workflow.js';

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
  { name: 'archive_orders', description: 'Archives the orders', inputSchema: object({}) },
];
const ANSWERS = {
  find_user: { content: [], structuredContent: { user_id: 'u7' } },
  get_orders: { content: [], structuredContent: { orders: [{ total: 3 }] } },
};

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
const ARCHIVED = Array.from({ length: 30 }, (_, place) =>
  served(`w${place}`, 'archive the orders', ['fake:archive_orders']),
);

async function taught(traces: readonly ExecutionTrace[], options: RunWorkflowsOptions = {}) {
  const made = await runWorkflows({ tools: TOOLS, answers: ANSWERS, ...options });
  await made.discovery.remember(traces);
  made.workflows.remember(traces);
  made.workflows.graph.apply(graphOf(traces));
  await made.workflows.suggester.learn();
  const run = async (args: JsonObject): Promise<JsonObject> => {
    const asked = { mode: 'run', ...args };
    const answer = await serveWorkflow(made.workflows, asked, fakeClient('a').context);
    return answer.structuredContent as JsonObject;
  };
  return { ...made, run };
}

/** Shared by the tests that run nothing. */
const past = taught(PAST);

// covers: RUN-INTENT
test('a sure, complete and read-only plan runs, and the answer shows what PML filled in', async () => {
  const { run, tools, discovery } = await taught(PAST);
  await discovery.settled();
  const { remembered } = discovery.status;

  const answer = await run({ intent: INTENT });
  await discovery.settled();

  expect(answer).toMatchObject({ status: 'completed', run: 'run_1' });
  expect(tools.calls).toEqual([
    ['fake:find_user', { email: 'ann@example.com' }],
    ['fake:get_orders', { user_id: 'u7' }],
  ]);
  const { filled } = answer as { filled: readonly string[] };
  expect(filled.join('\n')).toMatch(/find_user\.email = "ann@example\.com"/);
  expect(filled.join('\n')).toMatch(/get_orders\.user_id ← find_user\.user_id/);
  // A plan that PML chose itself is no proof that it was what the request needs.
  expect(discovery.status.remembered).toBe(remembered);
});

describe('a plan is only shown, with the reason', () => {
  test.each([
    ['a value is missing', PAST, { intent: 'get the orders of the user' }, /values are missing/],
    ['a tool may change something', ARCHIVED, { intent: 'archive the orders' }, /archive_orders/],
    ['PML is not sure', [], { intent: INTENT }, /not sure enough: 0\.\d+ of 0\.85|missing/],
    [
      'the client wants to see each layer',
      PAST,
      { intent: INTENT, approve: 'per_layer' },
      /stop after each layer/,
    ],
  ])('a plan is only shown, with the reason, if %s', async (_name, traces, args, why) => {
    const { run, tools } = await (traces === PAST ? past : taught(traces));

    const answer = await run(args);

    expect(answer).toMatchObject({
      status: 'suggested',
      why_not_run: expect.stringMatching(why),
    });
    expect(tools.calls).toEqual([]);
  });

  test.each([
    [
      'the user wants to be asked',
      { permissions: { allow: [], ask: ['fake:get_orders'], deny: [] } },
    ],
    [
      'the user refuses guesses',
      {
        workflows: {
          approve: 'risky',
          guesses: 'refuse',
          answerWithinMs: 10_000,
          onDisconnect: 'continue',
          retries: 0,
          idempotent: [],
        },
      } as const,
    ],
  ])('a plan is only shown because of the settings, if %s', async (_name, changes) => {
    const { run, tools } = await taught(PAST, { changes });

    const answer = await run({ intent: INTENT });

    expect(answer).toMatchObject({ status: 'suggested', why_not_run: expect.any(String) });
    expect(tools.calls).toEqual([]);
  });
});

test('a request with an intent cannot loosen the configured approval', async () => {
  const { run, tools } = await past;

  await expect(run({ intent: INTENT, approve: 'never' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  expect(tools.calls).toEqual([]);
});

test('a request without mode "run" is answered with its plan and no reason', async () => {
  const { run, tools } = await past;

  const answer = await run({ intent: INTENT, mode: 'auto' });

  expect(answer).toMatchObject({ status: 'suggested', ready: true });
  expect(answer).not.toHaveProperty('why_not_run');
  expect(tools.calls).toEqual([]);
});
