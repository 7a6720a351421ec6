import { describe, expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import {
  type ExecutionTrace,
  type JsonObject,
  type Origin,
  parseToolId,
  runId,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import { serveContinue } from '../serve-continue.js';
import { serveWorkflow, startWorkflow } from '../serve-workflow.js';

const text = { type: 'string' };
const object = (properties: JsonObject): JsonObject => {
  return { type: 'object', properties, required: Object.keys(properties) };
};
const reading = { annotations: { readOnlyHint: true } };
const TOOLS = [
  {
    name: 'find_item',
    description: 'Finds an item',
    inputSchema: object({ query: text }),
    outputSchema: object({ item_id: text }),
    ...reading,
  },
  { name: 'get_item', inputSchema: object({ item_id: text }), ...reading },
  { name: 'tag_item', inputSchema: object({ item_id: text }) },
  { name: 'delete_item', inputSchema: object({ item_id: text }) },
  {
    name: 'read_unit',
    inputSchema: object({ unit: { type: 'string', default: 'metric' } }),
    ...reading,
  },
  { name: 'read_note', inputSchema: object({ city: text }), ...reading },
];
const found = { content: [], structuredContent: { item_id: 'i-17' } };
const answers = { find_item: found, find: found };

const open = async (guesses: 'ask' | 'show' | 'refuse' = 'ask') => {
  const made = await runWorkflows({ tools: TOOLS, answers });
  const { settings } = made.workflows.tools;
  Object.assign(settings.workflows, { guesses });
  return made;
};
const tasks = (tool: string, args?: JsonObject) => ({
  tasks: [
    { id: 'find', tool: 'fake:find_item', args: { query: 'x' } },
    { id: 'use', tool: `fake:${tool}`, ...(args && { args }) },
  ],
});
const LINE = expect.stringMatching(/^use\.item_id ← find\.item_id \(0\.\d\d\)$/) as string;
const HELD = /PML filled in .*item_id ← find\.item_id \(inferred, 0\.\d\d: [^)]+\)/;

interface Told {
  readonly status: string;
  readonly run: string;
  readonly filled?: readonly string[];
  readonly asks?: readonly { readonly why: string; readonly args: JsonObject }[];
}
const told = ({ structuredContent }: ToolResult) => structuredContent as unknown as Told;

describe('a guess', () => {
  test('a guess for a reading tool runs without approval, and the answer shows it', async () => {
    const { workflows } = await open();

    const answer = await serveWorkflow(workflows, tasks('get_item'), fakeClient('a').context);

    expect(told(answer)).toMatchObject({ status: 'completed', filled: [LINE] });
  });

  test('a guess for a tool that may change something waits for approval, which the agent may give', async () => {
    const { workflows, tools } = await open();
    const { context } = fakeClient('a');

    const asked = told(await serveWorkflow(workflows, tasks('tag_item'), context));

    expect(asked).toMatchObject({
      status: 'needs_approval',
      next: expect.stringMatching(/^Check the values that PML filled in/) as string,
      filled: [LINE],
      asks: [{ why: expect.stringMatching(HELD) as string, args: { item_id: 'i-17' } }],
    });
    expect(tools.calls.map(([tool]) => tool)).not.toContain('fake:tag_item');
    const args = { run: asked.run, decision: 'approve' };
    const done = told(await serveContinue(workflows, args, context));
    expect(done).toMatchObject({
      status: 'completed',
      filled: [expect.stringMatching(/\(0\.\d\d, approved\)$/)],
    });
  });

  test('a guess for a tool that needs approval anyway is asked about once, with both reasons', async () => {
    const { workflows } = await open();

    const answer = await serveWorkflow(workflows, tasks('delete_item'), fakeClient('a').context);

    expect(told(answer).asks).toHaveLength(1);
    expect(told(answer).asks?.[0]?.why).toMatch(/delete.*; PML filled in/);
  });

  test('a guess is asked about even if the user configured no approvals', async () => {
    const { workflows } = await open();

    const started = await startWorkflow(workflows, tasks('tag_item'), { approve: 'never' });
    if (started.kind !== 'run') throw new Error('a plan');
    await started.live.idle();

    expect(started.live.phase).toBe('paused');
  });

  test('a guess is only shown if the user configured "show"', async () => {
    const { workflows } = await open('show');

    const answer = await serveWorkflow(workflows, tasks('tag_item'), fakeClient('a').context);

    expect(told(answer)).toMatchObject({ status: 'completed', filled: [LINE] });
  });

  test('a guess is refused if the user configured "refuse", and the error says how to give the value', async () => {
    const { workflows, tools } = await open('refuse');

    await expect(startWorkflow(workflows, tasks('get_item'))).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      message: expect.stringMatching(
        /task use: args\.item_id was not given.*"workflows\.guesses" is "refuse": write \{"\$ref":"find\.item_id"\}/,
      ) as string,
    });
    expect(tools.calls).toEqual([]);
    const looked = await startWorkflow(workflows, { ...tasks('get_item'), mode: 'dry_run' });
    expect(looked.kind).toBe('plan');
  });

  test('a reference that the agent wrote is no guess', async () => {
    const { workflows } = await open();
    const written = tasks('tag_item', { item_id: { $ref: 'find.item_id' } });

    const answer = told(await serveWorkflow(workflows, written, fakeClient('a').context));

    expect(answer.status).toBe('completed');
    expect(answer.filled).toBeUndefined();
  });

  test('a guess in a single call is listed after the result of the tool', async () => {
    const { workflows } = await open('refuse');
    const lone = { tasks: [{ id: 'unit', tool: 'fake:read_unit' }] };

    const answer = await serveWorkflow(workflows, lone, fakeClient('a').context);

    const line = 'unit.unit = "metric" (default)';
    expect(answer.content.at(-1)).toEqual({ type: 'text', text: `filled: ${line}` });
    expect(answer._meta).toEqual({ 'pml/run': 'run_1', 'pml/filled': [line] });
  });
});

describe('a value that an agent or a person meant', () => {
  const id = (tool: string): ToolId => parseToolId(`fake:${tool}`).id;
  let count = 0;
  const flow = (origin?: Origin, field = 'item_id'): ExecutionTrace => ({
    id: `t${count++}`,
    intent: '',
    at: new Date(0),
    source: 'live',
    hasOrigins: true,
    ok: true,
    calls: [
      { tool: id('find_item'), ok: true },
      { tool: id('tag_item'), ok: true },
    ],
    bindings: [{ from: 0, to: 1, field, param: 'item_id', ...(origin && { origin }) }],
  });
  const times = (most: number, make: () => ExecutionTrace) => Array.from({ length: most }, make);
  const statusAfter = async (...traces: readonly ExecutionTrace[]) => {
    const { workflows } = await open();
    workflows.planning.learn(traces);
    const answer = await serveWorkflow(workflows, tasks('tag_item'), fakeClient('a').context);
    return told(answer).status;
  };
  const approved: Origin = { source: 'inferred', confirmed: 'approved' };

  test('a value that an agent or a person meant three times for the parameter needs no approval', async () => {
    expect(await statusAfter(...times(3, () => flow()))).toBe('completed');
    expect(await statusAfter(flow(), flow(approved), flow(approved))).toBe('completed');
  });

  test('a value that was meant less often, or only ran or was only seen, needs approval', async () => {
    expect(await statusAfter(...times(2, () => flow()))).toBe('needs_approval');
    const ran = times(100, () => flow({ source: 'inferred' }));
    expect(await statusAfter(...ran)).toBe('needs_approval');
    const seen = times(20, () => flow({ source: 'inferred', confirmed: 'seen' }));
    expect(await statusAfter(...seen)).toBe('needs_approval');
  });

  test('a value that some other runs contradict needs approval', async () => {
    const others = times(6, () => ({ ...flow(), bindings: [{ from: 1, to: 0, param: 'query' }] }));

    expect(await statusAfter(...times(50, () => flow()), ...others)).toBe('needs_approval');
  });
});

describe('the example of a capability', () => {
  const CODE = `const note = await mcp.fake.read_note({ city: 'Lisbon' });
    return mcp.fake.tag_item({ item_id: note });`;
  const withCapability = async () => {
    const made = await open();
    const learned = made.workflows.tools.capabilities.learn({
      code: CODE,
      intent: 'tag the note of Lisbon',
      run: runId('run_0'),
      calls: ['read_note', 'tag_item'].map((tool) => ({
        tool: parseToolId(`fake:${tool}`).id,
        ok: true,
      })),
      definitionOf: (tool) => made.workflows.tools.lockedDefinition(tool),
      ms: 1,
    });
    if (learned.kind === 'refused') throw new Error(learned.reason);
    return { ...made, tool: `cap:${learned.capability.name}` };
  };

  test('the example of a capability is shown and asked about if the request gives no value', async () => {
    const { workflows, tool } = await withCapability();
    const lone = { tasks: [{ id: 'tag', tool }] };

    const answer = told(await serveWorkflow(workflows, lone, fakeClient('a').context));

    expect(answer).toMatchObject({
      status: 'needs_approval',
      filled: [expect.stringMatching(/^tag\.\w+ = "Lisbon" \(lifted default, 0\.50\)$/)],
      asks: [{ args: expect.objectContaining({ city: 'Lisbon' }) as object }],
    });
  });

  test('the example of a capability is no guess if the request gives the parameter', async () => {
    const { workflows, tool } = await withCapability();
    const lone = { tasks: [{ id: 'tag', tool, args: { city: 'Vienna' } }] };

    const started = await startWorkflow(workflows, lone);
    const begun = started.kind === 'run' ? started.live.state.tasks : [];

    expect(begun).toHaveLength(1);
    expect(begun[0]?.task.guessed).toBeUndefined();
  });
});

test('a plan leaves open the parameters that need the model while it loads, and says why', async () => {
  const { workflows } = await open();
  const late = {
    ...workflows,
    compare: async () => ({ isLate: 'the model is still loading; ask again in a moment' }),
  };

  await expect(startWorkflow(late, tasks('get_item'))).rejects.toMatchObject({
    code: 'ARGUMENTS_INVALID',
    message: expect.stringMatching(
      /args\.item_id is missing \(string; perhaps \{"\$ref":"find\.item_id"\} \(0\.\d\d\); the model is still loading/,
    ) as string,
  });
  await expect(startWorkflow(workflows, tasks('get_item'))).resolves.toMatchObject({ kind: 'run' });
});
