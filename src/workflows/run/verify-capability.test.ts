import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { runId, type ToolId } from '../../core/index.js';
import { verifyCapability } from './verify-capability.js';

const READS = ['read_a', 'read_b', 'read_c'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}));

async function gatewayWith(code: string, changes = {}) {
  const made = await runWorkflows({ changes });
  const { workflows } = made;
  const learned = workflows.tools.capabilities.learn({
    code,
    intent: 'do it all',
    run: runId('run_1'),
    calls: [{ tool: 'fake:read_a' as ToolId, ok: true }],
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: 1,
  });
  if (learned.kind === 'refused') throw new Error(learned.reason);
  const { name } = learned.capability;
  const fail = () => {
    const failed = { ok: false, ms: 1, at: new Date(0) };
    for (let time = 0; time < 3; time++) workflows.tools.capabilities.used(name, failed);
  };
  return { ...made, name, fail };
}

const READ = 'await mcp.fake.read_a({}); return mcp.fake.read_b({})';

test('verify compares an active capability with its tools and does not run it', async () => {
  const { workflows, name, tools } = await gatewayWith(READ);

  expect(await verifyCapability(workflows, name)).toEqual({ kind: 'active' });
  expect(tools.calls).toEqual([]);
});

test('verify fails while a tool is gone, and reactivates the capability when the tool is back', async () => {
  const { workflows, name, list } = await gatewayWith(READ);
  list(READS.slice(1));
  expect(await verifyCapability(workflows, name)).toEqual({
    kind: 'impossible',
    reason: 'there is no tool fake:read_a',
  });

  list(READS);

  expect(await verifyCapability(workflows, name)).toEqual({ kind: 'restored' });
});

test('verify runs a read-only capability, and keeps it in quarantine if it fails again', async () => {
  const { workflows, name, fail } = await gatewayWith(READ);
  fail();

  expect(await verifyCapability(workflows, name)).toMatchObject({ kind: 'failed', run: 'run_1' });
  expect(workflows.tools.capabilities.get(name)?.state.status).toBe('quarantined');
});

test.each([
  ['what may change something', 'await mcp.fake.read_a({}); return mcp.fake.write_a({})', []],
  ['what the user wants to be asked', READ, ['*:read_b']],
])('verify reports and does not run %s', async (_what, code, ask) => {
  const permissions = { allow: [], ask, deny: [] };
  const { workflows, name, fail, tools, log } = await gatewayWith(code, { permissions });
  fail();

  const verified = await verifyCapability(workflows, name, { args: { x: 1 } });

  expect(verified).toMatchObject({
    kind: 'needs-run',
    tools: [expect.any(String)],
    args: { x: 1 },
  });
  expect(tools.calls).toEqual([]);
  expect(await log.list({ limit: 9 })).toEqual([]);
});

test('verify reports parameters without a known value as needed', async () => {
  const { workflows, name, fail } = await gatewayWith(
    'await mcp.fake.read_a({}); return mcp.fake.read_b({ key: args.key })',
  );
  fail();

  expect(await verifyCapability(workflows, name)).toEqual({ kind: 'needs-args', missing: ['key'] });
});

test('verify leaves a capability disabled that the user disabled', async () => {
  const { workflows, name } = await gatewayWith(READ);
  workflows.tools.capabilities.disable(name, { reason: 'too slow' });

  expect(await verifyCapability(workflows, name)).toEqual({
    kind: 'impossible',
    reason: 'it is disabled: too slow',
  });
});
