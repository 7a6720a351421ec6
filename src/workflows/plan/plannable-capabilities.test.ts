import { expect, test } from 'vitest';

import { aCapability, aVersion } from '../../../test/helpers/capability-samples.js';
import { id } from '../../../test/helpers/graph-samples.js';
import { runGateway } from '../../../test/helpers/run-gateway.js';
import { type Capability, type JsonObject, runId, taskId } from '../../core/index.js';
import type { Gateway } from '../../gateway/gateway.js';
import { inferFlow } from '../../planner/index.js';
import { capabilityTool } from '../../tools/capability-tools.js';
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
  const { gateway } = await runGateway({ tools: TOOLS });
  const learned = gateway.capabilities.learn({
    code: CODE,
    intent: 'the 25 newest of Bob@example.com',
    run: runId('run_1'),
    calls: ['read_a', 'read_b'].map((name) => ({ tool: id(`fake:${name}`), ok: true })),
    definitionOf: (tool) => gateway.lockedDefinition(tool),
    ms: 1,
  });
  if (learned.kind === 'refused') throw new Error(learned.reason);
  return { gateway, capability: learned.capability };
}

const plannableOf = (gateway: Gateway, { name }: Capability) =>
  plannablesOf(gateway, [id('fake:read_a'), id(`cap:${name}`)]).get(id(`cap:${name}`));

test('a capability takes what its parameters say; what was asked for then has to be said anew', async () => {
  const { gateway, capability } = await withCapability();

  const schema = plannableOf(gateway, capability)?.inputSchema as {
    properties: JsonObject;
    required: string[];
  };

  expect(schema.properties).toMatchObject({ folder: { default: 'inbox' } });
  expect(schema.properties['email']).not.toHaveProperty('default');
  expect(schema.properties['limit']).not.toHaveProperty('default');
  expect(schema.required.toSorted()).toEqual(['email', 'limit']);
});

test('it gives what its results were seen to look like', async () => {
  const { gateway, capability } = await withCapability();
  expect(plannableOf(gateway, capability)).not.toHaveProperty('output');

  gateway.planning.observed(capabilityTool(capability), {
    content: [],
    structuredContent: { b: 'text' },
  });

  await expect
    .poll(() => plannableOf(gateway, capability))
    .toMatchObject({
      output: { source: 'observed', schema: { properties: { b: { type: 'string' } } } },
    });
});

test('it is the same object until something of it changes, and tools are there as they are', async () => {
  const { gateway, capability } = await withCapability();

  expect(plannableOf(gateway, capability)).toBe(plannableOf(gateway, capability));
  const all = plannablesOf(gateway, ['fake:read_a', 'cap:unknown', 'fake:unknown'].map(id));
  expect([...all.keys()]).toEqual(['fake:read_a']);
});

test('parameters that nobody asked for stay as they are', async () => {
  const { gateway } = await runGateway();
  const parameters = { type: 'object', properties: { path: { type: 'string', default: 'a.txt' } } };
  const capability = aCapability('read', { current: aVersion({ parameters }) });

  const found = plannablesOf(
    { planning: gateway.planning, capabilities: { get: () => capability } },
    [id('cap:read')],
  );

  expect(found.get(id('cap:read'))?.inputSchema).toEqual({
    ...parameters,
    additionalProperties: false,
  });
});

test('values are seen to go into it and out of it by what it takes and gives', async () => {
  const { gateway, capability } = await withCapability();
  gateway.planning.observed(capabilityTool(capability), {
    content: [],
    structuredContent: { note_id: 'n1' },
  });
  await expect.poll(() => plannableOf(gateway, capability)).toHaveProperty('output');
  const tools = ['fake:find_person', `cap:${capability.name}`, 'fake:send_note'].map(id);
  const tasks = tools.map((tool, place) => ({
    id: taskId(`t${place}`),
    tool,
    needs: [],
    open: 'all' as const,
  }));

  const { links } = inferFlow(tasks, {
    tools: plannablesOf(gateway, tools),
    memory: gateway.planning.memory,
  });

  const found = links.map(({ from, path, to, param }) => `${from}.${path} → ${to}.${param}`);
  expect(found).toEqual(expect.arrayContaining(['t0.email → t1.email', 't1.note_id → t2.note_id']));
});
