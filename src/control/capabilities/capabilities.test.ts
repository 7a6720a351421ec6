import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { type JsonObject, runId, type ToolId } from '../../core/index.js';
import { readParams } from '../params.js';
import { changeCapability } from './change.js';
import { exportCapabilities, importCapabilities } from './exchange.js';
import { listCapabilities, showCapability } from './show.js';

const READ_TWICE = `const a = await mcp.fake.read_a({}); return [a, await mcp.fake.read_b({})]`;

async function daemonWith(...codes: readonly string[]) {
  const { workflows, list } = await runWorkflows();
  const daemon = { workflows, list, store: async () => ({ store: undefined, error: undefined }) };
  for (const code of codes) teach(daemon, code);
  return daemon;
}

type Daemon = Awaited<ReturnType<typeof daemonWith>>;

async function change(daemon: Daemon, request: JsonObject) {
  return changeCapability(daemon, readParams('capability-change', request));
}

function teach({ workflows }: Daemon, code: string, intent = 'read both'): string {
  const calls = ['fake:read_a', 'fake:read_b'].map((tool) => ({ tool: tool as ToolId, ok: true }));
  const learned = workflows.tools.capabilities.learn({
    code,
    intent,
    run: runId('run_1'),
    calls,
    definitionOf: (tool) => workflows.tools.lockedDefinition(tool),
    ms: 10,
  });
  if (learned.kind === 'refused') throw new Error(learned.reason);
  return learned.capability.name;
}

test('the list of capabilities is sorted by name', async () => {
  const daemon = await daemonWith(READ_TWICE);
  teach(daemon, `await mcp.fake.read_b({}); return await mcp.fake.read_a({})`, 'all the other way');

  const { capabilities } = await listCapabilities(daemon);

  expect(capabilities).toMatchObject([
    { name: 'allOtherWay', status: 'active', isOffered: true, uses: 1, successes: 1, version: 1 },
    { name: 'readBoth', description: 'read both' },
  ]);
});

test('a shown capability has its signature, steps, code, locked tools and versions', async () => {
  const daemon = await daemonWith(READ_TWICE);

  expect(await showCapability(daemon, { name: 'cap:readBoth' })).toMatchObject({
    signature: 'cap.readBoth(): Promise<unknown>',
    steps: ['task-1 fake:read_a', 'task-2 fake:read_b', 'result [task-1, task-2]'],
    code: READ_TWICE,
    lock: [
      { tool: 'fake:read_a', state: 'same' },
      { tool: 'fake:read_b', state: 'same' },
    ],
    versions: [{ version: 1, isCurrent: true, origin: 'learned', run: 'run_1' }],
    averageMs: 10,
  });
});

test('a shown capability marks its locked tools as changed, with a diff, or as gone', async () => {
  const daemon = await daemonWith(READ_TWICE);

  const inputSchema = { type: 'object', properties: { key: { type: 'string' } } };
  daemon.list([{ name: 'read_a', inputSchema }]);

  expect(await showCapability(daemon, { name: 'readBoth' })).toMatchObject({
    lock: [
      {
        state: 'changed',
        diff: [
          '- inputSchema: {"type":"object"}',
          '+ inputSchema: {"properties":{"key":{"type":"string"}},"type":"object"}',
        ],
      },
      { state: 'gone' },
    ],
  });
});

test.each<[JsonObject, JsonObject]>([
  [
    { action: 'rename', to: 'both' },
    { name: 'both', aliases: ['readBoth'] },
  ],
  [{ action: 'pin' }, { isPinned: true }],
  [{ action: 'unpin' }, { isPinned: false }],
  [{ action: 'restore', version: 1 }, { version: 1 }],
  [{ action: 'disable' }, { status: 'disabled', reason: 'disabled by the user' }],
  [
    { action: 'disable', reason: 'wrong' },
    { status: 'disabled', reason: 'wrong' },
  ],
  [{ action: 'enable' }, { status: 'active' }],
  [{ action: 'delete' }, { deleted: 'readBoth' }],
])('change %j answers with the new state of the capability', async (request, after) => {
  const daemon = await daemonWith(READ_TWICE);

  expect(await change(daemon, { name: 'readBoth', ...request })).toMatchObject(after);
});

test.each<[JsonObject, string]>([
  [{ action: 'pin', name: 'raedBoth' }, 'TOOL_UNKNOWN'],
  [{ action: 'merge', name: 'readBoth', into: 'nothing' }, 'TOOL_UNKNOWN'],
  [{ action: 'restore', name: 'readBoth', version: 9 }, 'BAD_REQUEST'],
  [{ action: 'rename', name: 'readBoth', to: 'no name' }, 'BAD_REQUEST'],
  [{ action: 'praise', name: 'readBoth' }, 'BAD_REQUEST'],
])('change %j of a capability is refused', async (request, code) => {
  const daemon = await daemonWith(READ_TWICE);

  await expect(change(daemon, request)).rejects.toMatchObject({ code });
});

test('the error for a mistyped capability names the nearest one', async () => {
  const daemon = await daemonWith(READ_TWICE);

  await expect(showCapability(daemon, { name: 'raedBoth' })).rejects.toThrow(
    'There is no capability "raedBoth". The nearest: readBoth',
  );
});

test('a daemon imports the capabilities that another daemon exported', async () => {
  const [one, other] = [await daemonWith(READ_TWICE), await daemonWith()];

  const file = await exportCapabilities(one, { name: 'readBoth' });
  const imported = await importCapabilities(other, { file });

  expect(imported).toMatchObject({
    outcomes: [{ kind: 'imported', name: 'readBoth' }],
    isStored: false,
  });
  expect(await showCapability(other, { name: 'readBoth' })).toMatchObject({
    code: READ_TWICE,
    uses: 0,
    versions: [{ origin: 'imported' }],
  });
});
