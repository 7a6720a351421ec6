import { expect, test } from 'vitest';

import { aCapability, aVersion } from '../../../test/helpers/capability-samples.js';
import { id } from '../../../test/helpers/graph-samples.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type Capability, type JsonObject, runId, taskId } from '../../core/index.js';
import { inferFlow } from '../../planner/index.js';
import { capabilityTool } from '../../tools/capability-tools.js';
import type { Workflows } from '../workflows.js';
import { plannablesOf } from './plannable-capabilities.js';

const CODE = `const a = await mcp.fake.read_a({ email: 'bob@example.com', limit: 25 });
const b = await mcp.fake.read_b({ a, folder: 'inbox' });
return { b };`;

const text = { type: 'string' };
const TOOLS = [
  {
    name: 'send_note',
    inputSchema: { type: 'object', properties: { note_id: text }, required: ['note_id'] },
  },
  {
    name: 'find_person',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { email: { ...text, format: 'email' } } },
  },
];

async function withCapability() {
  const { workflows } = await runWorkflows({ tools: TOOLS });
  const learned = workflows.tools.capabilities.learn({
    code: CODE,
    intent: 'the 25 newest of Bob@example.com',
    run: runId('run_1'),
    calls: ['read_a', 'read_b'].map((name) => ({ tool: id(`fake:${name}`), ok: true })),
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: 1,
  });
  if (learned.kind === 'refused') throw new Error(learned.reason);
  return { workflows, capability: learned.capability };
}

const plannableOf = (workflows: Workflows, { name }: Capability) =>
  plannablesOf(workflows, [id('fake:read_a'), id(`cap:${name}`)]).get(id(`cap:${name}`));

test('a plannable capability has its parameters as input schema, with defaults as examples', async () => {
  const { workflows, capability } = await withCapability();

  const schema = plannableOf(workflows, capability)?.inputSchema as {
    properties: JsonObject;
    required: string[];
  };

  expect(schema.properties).toEqual({
    email: { type: 'string', format: 'email', examples: ['bob@example.com'] },
    limit: { type: 'integer', examples: [25] },
    folder: { type: 'string', examples: ['inbox'] },
  });
  expect(schema.required.toSorted()).toEqual(['email', 'folder', 'limit']);
});

test('a plannable capability has the output schema of its observed results', async () => {
  const { workflows, capability } = await withCapability();
  expect(plannableOf(workflows, capability)).not.toHaveProperty('output');

  workflows.planning.observed(capabilityTool(capability), {
    content: [],
    structuredContent: { b: 'text' },
  });

  await expect
    .poll(() => plannableOf(workflows, capability))
    .toMatchObject({
      output: { source: 'observed', schema: { properties: { b: { type: 'string' } } } },
    });
});

test('a plannable capability stays the same object until it changes, and unknown ids are left out', async () => {
  const { workflows, capability } = await withCapability();

  expect(plannableOf(workflows, capability)).toBe(plannableOf(workflows, capability));
  const all = plannablesOf(workflows, ['fake:read_a', 'cap:unknown', 'fake:unknown'].map(id));
  expect([...all.keys()]).toEqual(['fake:read_a']);
});

test('a plannable capability keeps parameters without a default as they are', async () => {
  const { workflows } = await runWorkflows();
  const parameters = { type: 'object', properties: { path: { type: 'string' } } };
  const capability = aCapability('read', { current: aVersion({ parameters }) });

  const found = plannablesOf(
    { planning: workflows.planning, tools: { capabilities: { get: () => capability } } },
    [id('cap:read')],
  );

  expect(found.get(id('cap:read'))?.inputSchema).toEqual({
    ...parameters,
    additionalProperties: false,
  });
});

test('values flow into and out of a capability according to its parameters and output', async () => {
  const { workflows, capability } = await withCapability();
  workflows.planning.observed(capabilityTool(capability), {
    content: [],
    structuredContent: { note_id: 'n1' },
  });
  await expect.poll(() => plannableOf(workflows, capability)).toHaveProperty('output');
  const tools = ['fake:find_person', `cap:${capability.name}`, 'fake:send_note'].map(id);
  const tasks = tools.map((tool, place) => ({
    id: taskId(`t${place}`),
    tool,
    needs: [],
    open: 'all' as const,
  }));

  const { links } = inferFlow(tasks, {
    tools: plannablesOf(workflows, tools),
    memory: workflows.planning.memory,
  });

  const found = links.map(({ from, path, to, param }) => `${from}.${path} → ${to}.${param}`);
  expect(found).toEqual(expect.arrayContaining(['t0.email → t1.email', 't1.note_id → t2.note_id']));
});
