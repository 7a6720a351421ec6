import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import {
  estimateTokens,
  type ExecutionTrace,
  type JsonObject,
  type ToolId,
} from '../../core/index.js';
import { graphOf } from '../../graph/index.js';
import { serveWorkflow } from '../serve-workflow.js';

/** The most tokens that a plan of three tasks may cost an agent. */
const MOST_TOKENS = 350;

const text = (description: string): JsonObject => ({ type: 'string', description });
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => {
  return { type: 'object', properties, required };
};

/** Three tools as public servers describe them. */
const TOOLS: readonly JsonObject[] = [
  {
    name: 'search_customers',
    description: 'Searches customers by name, mail address or phone number.',
    inputSchema: object(
      {
        query: { ...text('Mail address of the customer'), format: 'email' },
        limit: { type: 'number' },
      },
      ['query'],
    ),
    outputSchema: object({ customer_id: text('Id of the customer'), name: text('Full name') }),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list_invoices',
    description: 'Lists the open invoices of a customer, newest first.',
    inputSchema: object({ customer_id: text('Id of the customer') }),
    outputSchema: object({ invoices: { type: 'array', items: object({ id: text('Id') }) } }),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'send_reminder',
    description: 'Sends a payment reminder for an invoice by mail.',
    inputSchema: object({
      customer_id: text('Id of the customer'),
      invoices: { type: 'array', items: object({ id: text('Id') }) },
      tone: {
        ...text('How the reminder sounds: the wording that the accounting team agreed on'),
        enum: ['friendly', 'firm', 'final'],
      },
    }),
  },
];

const NAMES = ['fake:search_customers', 'fake:list_invoices', 'fake:send_reminder'];
const requestOf = (mail: string) =>
  `remind the customer with the mail address ${mail} of the open invoices`;

async function office(runs = 30, failures = 0) {
  const made = await runWorkflows({
    tools: TOOLS,
    changes: { permissions: { allow: [], ask: ['fake:send_reminder'], deny: [] } },
  });
  const past = Array.from({ length: runs }, (_, place) =>
    served(`r${place}`, requestOf(`u${place}@example.com`), NAMES, {
      bindings: [
        { from: 0, to: 1, field: 'customer_id', param: 'customer_id' },
        { from: 0, to: 2, field: 'customer_id', param: 'customer_id' },
        { from: 1, to: 2, field: 'invoices', param: 'invoices' },
      ],
    }),
  );
  const failed = Array.from({ length: failures }, (_, place): ExecutionTrace => ({
    ...served(`f${place}`, '', []),
    ok: false,
    calls: [
      { tool: NAMES[0] as ToolId, ok: true },
      { tool: NAMES[1] as ToolId, ok: false, errorType: 'timeout' },
    ],
  }));
  await made.discovery.remember([...past, ...failed]);
  made.workflows.remember(past);
  made.workflows.graph.apply(graphOf(past));
  await made.workflows.suggester.learn();
  return async (args: JsonObject) => {
    const { content, structuredContent } = await serveWorkflow(
      made.workflows,
      args,
      fakeClient('a').context,
    );
    const answer = structuredContent as JsonObject;
    expect(JSON.parse(content[0]?.['text'] as string)).toEqual(answer);
    return { answer, tokens: estimateTokens(JSON.stringify(answer)) };
  };
}

describe('a plan of three tasks', () => {
  const asked = office();
  const intent = requestOf('ann@example.com');

  test('a plan of three tasks costs at most 350 tokens and shows tasks, filled values, holes and questions', async () => {
    const { answer, tokens } = await (await asked)({ intent });

    expect(answer).toMatchObject({
      status: 'suggested',
      ready: false,
      tasks: [
        { id: 'search_customers', tool: NAMES[0], args: { query: 'ann@example.com' } },
        { args: { customer_id: { $ref: 'search_customers.customer_id' } } },
        { id: 'send_reminder', tool: NAMES[2] },
      ],
      filled: expect.arrayContaining([
        expect.stringMatching(/^search_customers\.query = "ann@example\.com" \(literal, /),
        expect.stringMatching(/^list_invoices\.customer_id ← search_customers\.customer_id \(/),
      ]),
      holes: [{ task: 'send_reminder', param: 'tone' }],
      approvals: [{ task: 'send_reminder' }],
      more: 'detail=full',
    });
    expect(Object.keys(answer)).not.toContain('why');
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS);
  });

  // covers: PATH-SUCCESS
  test('a plan with a step known to fail shows its chance of success, within 350 tokens', async () => {
    const sound = await (await asked)({ intent });
    const { answer, tokens } = await (await office(30, 20))({ intent });

    expect(answer).toMatchObject({ risk: 'fake:list_invoices failed 20 of 50, timeout' });
    expect(answer['success']).toBeGreaterThan(0.4);
    expect(answer['success']).toBeLessThan(0.95);
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS);
    expect(sound.answer).not.toHaveProperty('success');
  });

  test('a plan shows its reasons to an agent that asks for them with detail "full"', async () => {
    const { answer } = await (await asked)({ intent, detail: 'full' });

    expect(answer).toMatchObject({
      layers: [['search_customers'], ['list_invoices'], ['send_reminder']],
      bindings: [{ reasons: expect.arrayContaining([expect.any(String)]) }, {}, {}],
      values: [{ to: 'search_customers.query', because: expect.any(String) }],
      holes: [{ description: expect.stringContaining('accounting team') }],
      others: expect.any(Array),
      why: { runs: expect.any(Array), direct: expect.any(Array) },
    });
    expect(answer['filled']).toContainEqual(
      expect.stringMatching(/^list_invoices\.customer_id ← .* \([01]\.\d\d\): \w+/),
    );
    expect(answer).not.toHaveProperty('more');
  });

  test('a plan that is likely wrong is one line with the nearest tools, and complete on request', async () => {
    const asking = await office(0);
    const weak = 'is the weather nice enough for a picnic';

    const { answer, tokens } = await asking({ intent: weak });
    const full = await asking({ intent: weak, detail: 'full' });

    expect(answer).toMatchObject({
      mode: 'explicit_required',
      ready: false,
      why_not_ready: expect.any(String),
      next: expect.any(String),
      nearest: expect.any(Array),
    });
    expect(Object.keys(answer)).not.toContain('tasks');
    expect((answer['nearest'] as readonly string[]).length).toBeLessThanOrEqual(3);
    expect(tokens).toBeLessThanOrEqual(110);
    expect(Object.keys(full.answer)).toContain('tasks');
  });

  test('a dry run of three tasks costs at most 350 tokens and shows the source of every value', async () => {
    const tasks = [
      { id: 'a', tool: NAMES[0]!, args: { query: 'bob@example.com' } },
      { id: 'b', tool: NAMES[1]! },
      { id: 'c', tool: NAMES[2]!, args: { tone: 'friendly' } },
    ];

    const { answer, tokens } = await (await asked)({ tasks, mode: 'dry_run' });

    expect(answer).toMatchObject({
      next: expect.stringMatching(/Nothing ran\. .*"filled".*all others are yours/),
      filled: [
        expect.stringMatching(/^b\.customer_id ← a\.customer_id \([01]\.\d\d\)$/),
        expect.stringMatching(/^c\.customer_id ← a\.customer_id \([01]\.\d\d\)$/),
        expect.stringMatching(/^c\.invoices ← b\.invoices \([01]\.\d\d\)$/),
      ],
      holes: [],
    });
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS);
  });

  test('a plan with guesses for a writing tool names them once, and the full answer says why', async () => {
    const asking = await office(0);
    const tasks = NAMES.map((tool, place) => ({
      id: 'abc'[place]!,
      tool,
      args: place === 0 ? { query: 'ann@example.com' } : place === 2 ? { tone: 'firm' } : {},
    }));

    const { answer, tokens } = await asking({ tasks, mode: 'dry_run' });
    const full = await asking({ tasks, mode: 'dry_run', detail: 'full' });

    expect(answer['approvals']).toMatchObject([
      { task: 'c', because: expect.stringMatching(/names it; PML filled in .*\(see "filled"\)$/) },
    ]);
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS);
    expect(full.answer['approvals']).toMatchObject([
      { task: 'c', because: expect.stringContaining('customer_id') },
    ]);
  });
});
