/** The policy of a capability before it runs: it combines the policies of all reachable tools. */
import { expect, test, vi } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { parseCode } from '../../code/index.js';
import { capabilityId, type JsonObject, runId, taskId, type ToolId } from '../../core/index.js';
import type { GatewaySettings } from '../../tools/settings.js';
import { checkEffects, describeCode } from '../plan/code-effects.js';
import { serveWorkflow, startWorkflow } from '../serve-workflow.js';
import { callCapability } from './run-capability.js';

/** A gateway with the capabilities `look`, `note`, `wipe`, and `all`, which calls the others. */
async function gatewayWithCapabilities(permissions?: Partial<GatewaySettings['permissions']>) {
  const none = { allow: [], ask: [], deny: [] };
  const made = await runWorkflows(
    permissions && { changes: { permissions: { ...none, ...permissions } } },
  );
  const teach = (intent: string, code: string, ...calls: readonly string[]) => {
    const learned = made.workflows.tools.capabilities.learn({
      code,
      intent,
      run: runId('run_0'),
      calls: calls.map((tool) => ({ tool: tool as ToolId, ok: true })),
      definitionOf: (tool) => made.workflows.tools.lockedDefinition(tool),
      ms: 1,
    });
    if (learned.kind === 'refused') throw new Error(learned.reason);
    expect(learned.capability.name).toBe(intent);
  };
  const of = (...tools: readonly string[]) => tools.map((tool) => `await mcp.fake.${tool}({});`);
  teach('look', of('read_a', 'read_b').join('\n'), 'fake:read_a', 'fake:read_b');
  teach('note', of('read_a', 'write_a').join('\n'), 'fake:read_a', 'fake:write_a');
  teach('wipe', of('read_b', 'delete_a').join('\n'), 'fake:read_b', 'fake:delete_a');
  teach('all', 'await cap.look({});\nawait cap.wipe({});', 'cap:look', 'cap:wipe');
  const { workflows } = made;
  return { ...made, policyOf: (name: string) => workflows.tools.policyOf(capabilityId(name)) };
}

const alone = (capability: string): JsonObject => ({ capability, args: {} });

test('a capability has the policy of all tools it can reach, also through others [CAP-POLICY]', async () => {
  const { policyOf } = await gatewayWithCapabilities();

  expect(policyOf('look')).toEqual({ risk: 'read', repeatable: true });
  expect(policyOf('note')).toEqual({ risk: 'write', repeatable: false });
  expect(policyOf('all')).toMatchObject({
    risk: 'risky',
    ask: { why: 'it can call fake:delete_a: its name says delete' },
  });
});

test('a capability that reaches a denied tool is denied', async () => {
  const { policyOf, workflows } = await gatewayWithCapabilities({ deny: ['fake:read_b'] });

  expect(policyOf('look').denied).toContain('fake:read_b');
  expect(policyOf('note').denied).toBeUndefined();
  await expect(startWorkflow(workflows, alone('all'))).rejects.toMatchObject({
    code: 'TOOL_DENIED',
  });
});

test('dry runs of a capability, and of code that calls it, show what the run would ask', async () => {
  const { workflows, tools } = await gatewayWithCapabilities();

  const plan = await startWorkflow(workflows, {
    ...alone('all'),
    mode: 'dry_run',
    detail: 'full',
  });
  const effects = await checkEffects(workflows, parseCode('return cap.all({})'), {
    isReadOnly: false,
  });

  expect(plan).toMatchObject({
    answer: {
      structuredContent: {
        approvals: [{ tool: 'cap:all', because: expect.stringContaining('fake:delete_a') }],
      },
    },
  });
  expect(describeCode(workflows, effects, 'risky').structuredContent).toMatchObject({
    tools: [{ tool: 'cap:all', risk: 'risky', asks: expect.stringContaining('fake:delete_a') }],
  });
  expect(tools.calls).toEqual([]);
});

test('only code that can change something makes its run wait for the journal', async () => {
  const { workflows } = await gatewayWithCapabilities();
  const isHarmless = async (code: string) =>
    (await checkEffects(workflows, parseCode(code), { isReadOnly: false })).isHarmless;

  expect(await isHarmless('return cap.look({})')).toBe(true);
  expect(await isHarmless('return cap.note({})')).toBe(false);
  expect(await isHarmless('return cap.nobodyKnows({})')).toBe(false);
});

test('pml_read runs a capability that only reads and refuses every other', async () => {
  const { workflows, tools } = await gatewayWithCapabilities();
  const read = (capability: string) =>
    serveWorkflow(workflows, alone(capability), fakeClient('a').context, { isReadOnly: true });

  expect((await read('look')).isError).toBeUndefined();
  await expect(read('note')).rejects.toMatchObject({ code: 'TOOL_DENIED' });
  await expect(
    checkEffects(workflows, parseCode('return cap.note({})'), { isReadOnly: true }),
  ).rejects.toMatchObject({ code: 'TOOL_DENIED' });
  expect(tools.called.filter((name) => name === 'write_a')).toEqual([]);
});

test('a capability runs only after its code is stored, so that a crash cannot lose it', async () => {
  const { workflows } = await gatewayWithCapabilities();
  const { capabilities: store } = memoryStores();
  let finish = () => {};
  const disk = new Promise<void>((resolve) => (finish = resolve));
  await workflows.tools.capabilities.attach({
    load: () => store.load(),
    save: async (update) => {
      await disk;
      await store.save(update);
    },
  });
  const run = vi
    .spyOn(workflows.runs, 'runNested')
    .mockImplementation(async () => ({ status: 'returned', value: [...store.rows.keys()] }));
  const place = { run: runId('run_1'), task: taskId('t1'), signal: new AbortController().signal };

  const calling = callCapability(workflows, { ...place, tool: capabilityId('note') }, {});
  await new Promise((resolve) => setImmediate(resolve));
  const before = run.mock.calls.length;
  finish();

  expect((await calling).structuredContent).toContain('note');
  expect(before).toBe(0);
});
