import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type JsonObject, runId, type ToolId } from '../../core/index.js';
import type { GatewaySettings } from '../../tools/settings.js';
import { serveCapability } from '../handlers/serve-capability.js';
import { listCapabilityTools, namesCapability } from './exposed-capabilities.js';

type Exposure = GatewaySettings['exposure'];

async function workflowsWith(exposure: Partial<Exposure>, tools: readonly JsonObject[] = []) {
  const changes = {
    exposure: { mode: 'meta', pin: [], capabilities: [], skills: true, ...exposure } as Exposure,
  };
  const made = await runWorkflows({ changes, tools });
  const teach = (intent: string, ...names: readonly string[]) => {
    const calls = names.map((name) => ({ tool: `fake:${name}` as ToolId, ok: true }));
    const learned = made.workflows.tools.capabilities.learn({
      code: names.map((name) => `await mcp.fake.${name}({});`).join('\n'),
      intent,
      run: runId('run_1'),
      calls,
      definitionOf: (tool) => made.workflows.tools.lockedDefinition(tool),
      ms: 1,
    });
    if (learned.kind === 'refused') throw new Error(learned.reason);
    return learned.capability.name;
  };
  return { ...made, teach };
}

const namesOf = (tools: readonly JsonObject[]) => tools.map(({ name }) => name);

test('only the capabilities the user named are listed as tools, sorted, with their risks', async () => {
  const { workflows, teach } = await workflowsWith({ capabilities: ['read*', 'write*'] });
  teach('write', 'write_a', 'read_a');
  teach('read both', 'read_a', 'read_b');
  teach('other things', 'read_b', 'read_c');

  const tools = await listCapabilityTools(workflows.tools);

  expect(tools).toMatchObject([
    {
      name: 'cap__readBoth',
      description: 'read both',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    },
    { name: 'cap__write', annotations: { readOnlyHint: false, destructiveHint: true } },
  ]);
});

test('no capability is listed as a tool by default', async () => {
  const { workflows, teach } = await workflowsWith({});
  teach('read both', 'read_a', 'read_b');

  expect(await listCapabilityTools(workflows.tools)).toEqual([]);
  expect(namesCapability(workflows.tools, 'cap__readBoth')).toBe(false);
});

test('pml_continue is listed with capability tools even where the meta-tools are hidden', async () => {
  const { workflows, teach } = await workflowsWith({ mode: 'proxy', capabilities: ['*'] });
  expect(await listCapabilityTools(workflows.tools)).toEqual([]);
  teach('read both', 'read_a', 'read_b');

  expect(namesOf(await listCapabilityTools(workflows.tools))).toEqual([
    'cap__readBoth',
    'pml_continue',
  ]);
});

test('a server tool cannot take the name of a capability tool, and long names are shortened', async () => {
  const own = { name: 'cap__readBoth', inputSchema: { type: 'object' } };
  const { workflows, teach } = await workflowsWith({ capabilities: ['*'] }, [own]);
  teach('read both', 'read_a', 'read_b');
  const name = teach('read', 'read_a', 'read_c');
  workflows.tools.capabilities.rename(name, 'a'.repeat(64));

  const [long, ...others] = namesOf(await listCapabilityTools(workflows.tools)) as string[];

  expect(others).toEqual(['cap__readBoth']);
  expect(long).toMatch(/^cap__a+_[0-9a-f]{8}$/);
  expect(long).toHaveLength(64);
  expect(namesCapability(workflows.tools, 'cap__readBoth')).toBe(true);
});

test.each([
  ['disabled', /TOOL_BLOCKED|disabled: too slow\. .*pml capabilities enable readBoth/],
  ['quarantined', /quarantined: it failed 3 times in a row\. .*pml capabilities verify readBoth/],
  ['gone', /no capability for cap__readBoth/],
] as const)('a %s capability says so when it is called', async (state, message) => {
  const { workflows, teach } = await workflowsWith({ capabilities: ['*'] });
  const { capabilities } = workflows.tools;
  teach('read both', 'read_a', 'read_b');
  if (state === 'disabled') capabilities.disable('readBoth', { reason: 'too slow' });
  if (state === 'gone') capabilities.remove('readBoth');
  const failed = { ok: false, ms: 1, at: new Date(0) };
  for (let time = 0; state === 'quarantined' && time < 3; time++) {
    capabilities.used('readBoth', failed);
  }

  const called = serveCapability(workflows, 'cap__readBoth', {}, fakeClient('s').context);

  await expect(called).rejects.toThrow(message);
  expect(await listCapabilityTools(workflows.tools)).toEqual([]);
});

test('a renamed capability is still called by the name it was listed under', async () => {
  const { workflows, teach } = await workflowsWith({ capabilities: ['*'] });
  teach('read both', 'read_a', 'read_b');
  workflows.tools.capabilities.rename('readBoth', 'readPair');
  workflows.tools.capabilities.disable('readPair', { reason: 'later' });

  const called = serveCapability(workflows, 'cap__readBoth', {}, fakeClient('s').context);

  await expect(called).rejects.toThrow(/disabled: later/);
});
