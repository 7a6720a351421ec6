import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import {
  type ExecutionTrace,
  type JsonObject,
  type RunId,
  silentLogger as log,
  type ToolId,
} from '../../core/index.js';
import { graphOf } from '../../graph/index.js';
import { LiveGraph } from '../../graph/live/live-graph.js';
import { startWorkflow } from '../../workflows/index.js';
import { asJson } from '../as-json.js';
import { readParams } from '../params.js';
import { taughtEdges } from './execution.js';
import { explain } from './explain.js';

const id = (text: string) => text as ToolId;

/** Asks as a command does: reads the parameters and answers with JSON. */
async function ask(daemon: Parameters<typeof explain>[0], params: JsonObject): Promise<JsonObject> {
  return asJson(await explain(daemon, readParams('explain', params)));
}

function past(name: string, intent: string, changes: Partial<ExecutionTrace> = {}): ExecutionTrace {
  return {
    id: name,
    intent,
    at: new Date('2026-11-02T08:00:00Z'),
    source: 'live',
    ok: true,
    calls: [
      { tool: id('fake:find_order'), ok: true, ms: 5, args: { order_number: 17 } },
      { tool: id('fake:send_invoice'), ok: true, ms: 7 },
    ],
    bindings: [{ from: 0, to: 1, field: 'order.id', param: 'order_id' }],
    ...changes,
  };
}

const TOOLS = [
  {
    name: 'find_order',
    description: 'Find an order by its number',
    inputSchema: {
      type: 'object',
      properties: { order_number: { type: 'integer' } },
      required: ['order_number'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'send_invoice',
    description: 'Send the invoice of an order',
    inputSchema: {
      type: 'object',
      properties: { order_id: { type: 'string' }, tone: { type: 'string' } },
      required: ['order_id', 'tone'],
    },
  },
];

async function daemonWith(...traces: readonly ExecutionTrace[]) {
  const made = await runWorkflows({ tools: TOOLS });
  const graph = new LiveGraph({ log, capabilities: () => [] });
  await made.discovery.attach(memoryStores());
  await made.discovery.remember(traces);
  made.workflows.remember(traces);
  made.workflows.graph.apply(graphOf(traces));
  graph.add(traces);
  const daemon = { workflows: made.workflows, graph, store: async () => ({}) };
  return { ...made, daemon };
}

const THREE = ['a', 'b', 'c'].map((name) =>
  past(name, `find order ${name} and send the invoice to the customer`),
);

test('explain shows the plan for an intent with its links, past executions and holes', async () => {
  const { daemon } = await daemonWith(...THREE);

  const { plan } = await ask(daemon, {
    what: 'find order 17 and send the invoice to the customer',
  });

  expect(plan).toMatchObject({
    intent: 'find order 17 and send the invoice to the customer',
    model: expect.stringMatching(/^plan-default-/),
    isReady: false,
    tasks: [
      { id: 'find_order', layer: 0, args: [{ param: 'order_number', value: 17 }], holes: [] },
      {
        id: 'send_invoice',
        layer: 1,
        needs: ['find_order'],
        args: [{ param: 'order_id', from: 'find_order.order.id' }],
        holes: [{ param: 'tone', type: 'string' }],
      },
    ],
    direct: [{ from: 'fake:find_order', to: 'fake:send_invoice', flowed: 3, together: 3 }],
    transitive: [],
  });
  const { runs } = plan as unknown as { runs: readonly object[] };
  expect(runs).toHaveLength(3);
  expect(runs[0]).toMatchObject({ at: '2026-11-02T08:00:00.000Z', ok: true });
});

test('explain shows the failures and rejections that lowered a tool', async () => {
  const failing = Array.from({ length: 6 }, (_, place) =>
    past(`f${place}`, 'find the order again', {
      ok: false,
      calls: [{ tool: id('fake:find_order'), ok: false }],
      bindings: [],
      decisions: [{ by: 'user', kind: 'reject', atMs: 1, tools: [id('fake:send_invoice')] }],
    }),
  );
  const { daemon } = await daemonWith(...THREE, ...failing);

  const { plan } = await ask(daemon, {
    what: 'find order 17 and send the invoice to the customer',
  });

  const { against } = plan as unknown as { against: readonly object[] };
  expect(against).toContainEqual(
    expect.objectContaining({ tool: 'fake:find_order', because: 'failed in 6 of 9 calls' }),
  );
  expect(against).toContainEqual(
    expect.objectContaining({
      tool: 'fake:send_invoice',
      because: 'rejected by a person in 6 executions',
    }),
  );
});

test('explain shows for a run its suggestion, values, edges and similar executions', async () => {
  const { daemon, workflows, discovery } = await daemonWith(...THREE);
  const { context } = fakeClient('a');
  const intent = 'find order 17 and send the invoice to the customer';
  await startWorkflow(workflows, { intent }, { context });
  const run = 'run_123456789012' as RunId;
  const { calls, bindings } = THREE[0]!;
  const execution = { calls, bindings, run, intent, ms: 12 };
  workflows.executed(context.trail, execution);

  const explained = await ask(daemon, { what: run });

  expect(explained['execution']).toMatchObject({
    id: run,
    intent,
    ok: true,
    ms: 12,
    from: [
      {
        algorithm: 'suggest',
        intent,
        match: 'exact',
        tools: expect.arrayContaining(['fake:find_order', 'fake:send_invoice']),
      },
    ],
    calls: [
      { tool: 'fake:find_order', depth: 0, args: { order_number: 17 } },
      { tool: 'fake:send_invoice', depth: 0 },
    ],
    flows: [{ from: 0, to: 1, field: 'order.id', param: 'order_id' }],
    edges: [
      { type: 'provides', worked: true, observed: 3, isLeftOut: false },
      { type: 'sequence' },
    ],
  });
  const { from } = explained['execution'] as unknown as {
    from: readonly { candidates: readonly object[] }[];
  };
  expect(from[0]?.candidates).toContainEqual({
    tool: 'fake:find_order',
    score: expect.any(Number),
    args: { order_number: 17 },
  });
  const { similar } = explained['execution'] as unknown as { similar: readonly object[] };
  expect(similar).toHaveLength(3);
  expect(similar[0]).toMatchObject({ tools: ['fake:find_order', 'fake:send_invoice'] });
  await discovery[Symbol.asyncDispose]();
});

test('explain predicts the next call with its probability and arguments', async () => {
  const begun = past('begun', 'find order 17 and send the invoice to the customer', {
    calls: [{ tool: id('fake:find_order'), ok: true }],
    bindings: [],
  });
  const { daemon } = await daemonWith(...THREE, begun);

  const { execution } = await ask(daemon, { what: 'begun' });

  const { next } = execution as unknown as { next: readonly { tool: string }[] };
  expect(next[0]).toEqual({
    tool: 'fake:send_invoice',
    probability: expect.closeTo(1, 0),
    args: { order_id: { $ref: 'find_order.order.id' } },
    missing: ['tone'],
  });
});

test('explain does not predict a capability that PML learned from the run or later', async () => {
  const intent = 'rotate the quarterly archive';
  const calls = ['fake:read_a', 'fake:read_b'].map((tool) => ({ tool: id(tool), ok: true }));
  const run = 'run_123456789012' as RunId;
  // The clock of these capabilities stands at 1970.
  const before = past('before', intent, { calls, bindings: [], at: new Date(-1_000) });
  const own = past('own', intent, { calls, bindings: [], run });
  const late = past('late', intent, { calls, bindings: [] });
  const followed = ['x', 'y', 'z'].map((name) => {
    const after = { tool: id('cap:rotateQuarterlyArchive'), ok: true };
    return past(name, intent, { calls: [...calls, after], bindings: [] });
  });
  const { daemon, workflows } = await daemonWith(before, own, late, ...followed);
  const learned = workflows.tools.capabilities.learn({
    code: 'await mcp.fake.read_a({});\nawait mcp.fake.read_b({});',
    intent,
    run,
    calls,
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: 10,
  });
  if (learned.kind === 'refused') throw new Error(learned.reason);
  const capability = `cap:${learned.capability.name}`;
  const nextOf = async (what: string) => {
    const { execution } = await ask(daemon, { what });
    return (execution as unknown as { next: readonly { tool: string }[] }).next;
  };

  expect((await nextOf('late')).map(({ tool }) => tool)).toContain(capability);
  for (const what of ['before', run]) {
    expect((await nextOf(what)).map(({ tool }) => tool)).not.toContain(capability);
  }
});

test('explain refuses what it cannot explain and says what to do', async () => {
  const { daemon, workflows } = await daemonWith();
  const started = await startWorkflow(workflows, { tasks: [{ tool: 'fake:delete_a' }] });

  await expect(ask(daemon, { what: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(ask(daemon, { what: 'x'.repeat(30_000) })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await expect(ask(daemon, { what: 'run_nothing' })).rejects.toMatchObject({
    code: 'RUN_UNKNOWN',
  });
  expect(started.kind).toBe('run');
  await expect(ask(daemon, { what: 'run_1' })).rejects.toThrow(/not over yet.*pml show run_1/);
});

test('taughtEdges includes nested calls and marks the edge to a failed call', () => {
  const trace = past('n', '', {
    calls: [
      { tool: id('cap:bill'), ok: true },
      { tool: id('fake:find_order'), ok: true, parent: 0 },
      { tool: id('fake:send_invoice'), ok: false, parent: 0 },
    ],
    bindings: [{ from: 1, to: 2 }],
  });
  const graph = new LiveGraph({ log, capabilities: () => [] });
  graph.add([trace, past('m', '')]);

  const edges = taughtEdges(graph, trace);

  expect(edges).toContainEqual({
    from: 'fake:find_order',
    to: 'fake:send_invoice',
    type: 'provides',
    worked: false,
    weight: expect.any(Number),
    observed: 1,
    failed: 1,
    isLeftOut: false,
  });
  expect(edges.map(({ type }) => type)).toContain('contains');
});
