/** A server that answers with every kind of invalid result, on every call path. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type JsonObject,
  parseToolId,
  type RunEvent,
  runId,
  silentLogger,
  type Task,
  taskId,
  type ToolResult,
} from '../../src/core/index.js';
import { openFileRunLog } from '../../src/journal/index.js';
import { decideScript, runCode, scriptOf } from '../helpers/code-client.js';
import { type Answer, type PmlClient, textOf } from '../helpers/pml-client.js';
import { killIfAlive, plain, Workspace } from '../helpers/workspace.js';

const SERVER = fileURLToPath(new URL('../fixtures/nonsense-server.mjs', import.meta.url));
const mcpServers = {
  bad: { command: process.execPath, args: [SERVER], timeoutMs: 20_000 },
  good: plain(),
};

/** The kinds of nonsense that the server itself lists. */
async function kindsOf(client: PmlClient): Promise<readonly string[]> {
  const { result } = await client.request('tools/list');
  const tools = (result?.['tools'] ?? []) as { name: string; inputSchema: unknown }[];
  const found = tools.find(({ name }) => name === 'bad__answer')?.inputSchema;
  return (found as { properties: { kind: { enum: string[] } } }).properties.kind.enum;
}

/** Kinds that are no answer to a tool call, whatever the client. */
const REFUSED = [
  'null content',
  'content of null',
  'content of numbers',
  'content of texts',
  'content of lists',
  'content as object',
  'block without type',
  'block with a number as type',
  'text that is a number',
  'text that is missing',
  'resource that is null',
  'picture without data',
  'a number as result',
  'a list as result',
  'error of null',
  'deep structure',
  'deep meta',
  'endless structure',
  'unknown result type',
];

/** What is wrong with an answer: nothing for a valid result or an expected error. */
function faultOf(kind: string, { result, error }: Answer): readonly string[] {
  const text = textOf({ ...(result && { result }), ...(error && { error }) }).slice(0, 200);
  if (error) {
    const isOwn = kind.includes('error') && [-1, -32603].includes(error.code);
    return isOwn ? [] : [`${kind}: protocol error ${text}`];
  }
  const blocks = result?.['content'];
  if (!Array.isArray(blocks)) return [`${kind}: no content`];
  if (blocks.some((block: unknown) => typeof block !== 'object' || block === null)) {
    return [`${kind}: a block is nothing`];
  }
  const isRefused = REFUSED.includes(kind);
  if (isRefused && !text.includes('SERVER_PROTOCOL_ERROR')) return [`${kind}: not named: ${text}`];
  return [];
}

let workspace: Workspace;
let client: PmlClient;
let kinds: readonly string[];

beforeAll(async () => {
  workspace = await Workspace.create({ exposure: { mode: 'proxy' }, mcpServers });
  const first = await workspace.connect();
  kinds = await kindsOf(first);
});

afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
});

describe.each(['proxy', 'meta'])('in %s mode', (mode) => {
  beforeAll(async () => {
    await workspace.stop();
    workspace.configure({ exposure: { mode }, mcpServers });
    client = await workspace.connect();
    await client.text('good__echo', { text: 'warm' });
  });

  test('direct call gets an answer for every kind of invalid result [HOSTILE-RESULTS]', async () => {
    const pid = workspace.daemonPid();
    const faults: string[] = [];

    for (const kind of kinds) {
      faults.push(...faultOf(kind, await client.call('bad__answer', { kind })));
      expect(await client.text('good__echo', { text: kind })).toBe(kind);
    }
    for (const kind of ['structure at the limit', 'deep text']) {
      faults.push(...faultOf(kind, await client.call('bad__tree', { kind })));
    }

    expect(kinds.length).toBeGreaterThan(40);
    expect(faults).toEqual([]);
    expect(workspace.daemonPid()).toBe(pid);
    expect(workspace.log).not.toMatch(/uncaught|unhandled/);
  });
});

describe('in runs', () => {
  const CALL = 'return await mcp.bad.peek({ kind: args.kind })';

  test('every kind of invalid result ends its own task and no other [HOSTILE-RESULTS]', async () => {
    const pid = workspace.daemonPid();
    const faults: string[] = [];

    for (const kind of kinds) {
      const answer = await client.call('pml_execute_workflow', {
        tasks: [
          { id: 'bad', tool: 'bad:answer', args: { kind } },
          { id: 'next', tool: 'bad:echo', args: { value: { $ref: 'bad' } } },
          { id: 'other', tool: 'good:echo', args: { text: kind } },
        ],
      });
      const told = answer.result?.['structuredContent'] as Json | undefined;
      const tasks = told?.['tasks'] as Record<string, Json> | undefined;
      if (!['completed', 'failed'].includes(String(told?.['status']))) {
        faults.push(`${kind}: ${textOf(answer).slice(0, 200)}`);
      }
      if (tasks?.['other']?.['result'] !== kind) faults.push(`${kind}: the other task`);
      const error = tasks?.['bad']?.['error'] as Json | undefined;
      if (REFUSED.includes(kind) && error?.['code'] !== 'SERVER_PROTOCOL_ERROR') {
        faults.push(`${kind}: ${JSON.stringify(tasks?.['bad']).slice(0, 200)}`);
      }
    }

    for (const kind of ['structure at the limit', 'deep text', 'prototype keys']) {
      const one = { tasks: [{ id: 'a', tool: 'bad:tree', args: { kind } }] };
      faults.push(...faultOf(kind, await client.call('pml_execute_workflow', one)));
    }

    expect(faults).toEqual([]);
    expect(workspace.daemonPid()).toBe(pid);
    expect(workspace.log).not.toMatch(/uncaught|unhandled/);
  });

  test('single task and script get an answer for every kind of invalid result [HOSTILE-RESULTS]', async () => {
    const faults: string[] = [];

    for (const kind of kinds) {
      const one = { tasks: [{ id: 'a', tool: 'bad:peek', args: { kind } }] };
      faults.push(...faultOf(kind, await client.call('pml_execute_workflow', one)));
      const told = await runCode(client, CALL, { args: { kind }, intent: 'look at nonsense' });
      if (!['completed', 'failed'].includes(told.status)) {
        faults.push(`${kind}: script ${JSON.stringify(told).slice(0, 200)}`);
      }
      if (REFUSED.includes(kind) && !told.error?.message.includes('SERVER_PROTOCOL_ERROR')) {
        faults.push(`${kind}: script ${JSON.stringify(told).slice(0, 200)}`);
      }
    }

    expect(faults).toEqual([]);
    expect(workspace.log).not.toMatch(/uncaught|unhandled/);
  });

  test('capability gets an answer for every kind of invalid result [HOSTILE-RESULTS]', async () => {
    const learned = () =>
      client.call('pml_execute_workflow', {
        capability: 'lookAtNonsense',
        args: { kind: 'lone surrogates' },
      });
    await expect.poll(async () => (await learned()).result?.['isError'] ?? false).toBe(false);
    const faults: string[] = [];

    for (const kind of kinds) {
      const answer = await client.call('pml_execute_workflow', {
        capability: 'lookAtNonsense',
        args: { kind },
      });
      if (answer.error || !Array.isArray(answer.result?.['content'])) {
        faults.push(`${kind}: ${textOf(answer).slice(0, 200)}`);
      }
    }

    expect(faults).toEqual([]);
  });

  test('JSON that nests deeper than PML handles stays a text for a script', async () => {
    const code = `
      const deep = await mcp.bad.peek({ kind: 'deep text' });
      const flat = await mcp.bad.peek({ kind: 'numbers beyond' });
      return [typeof deep, deep.length, Array.isArray(flat)]`;

    const told = await runCode(client, code);

    expect(told).toMatchObject({ status: 'completed', result: ['string', 40_001, true] });
  });

  test('waiting run with an invalid result in its journal resumes after a kill [HOSTILE-RESULTS]', async () => {
    const code = `
      const seen = [];
      for (const kind of args.kinds) {
        try { seen.push(typeof (await mcp.bad.answer({ kind }))) } catch (error) { seen.push(error.code) }
      }
      await mcp.bad.delete_all({});
      return seen`;
    const asked = scriptOf(
      await client.call('pml_execute_code', { code, args: { kinds }, answer_within_ms: 120_000 }),
    );

    killIfAlive(workspace.daemonPid());
    const again = await decideScript(client, asked.run, 'wait');
    const told = await decideScript(client, asked.run, 'approve');

    expect(asked.status).toBe('needs_approval');
    expect(again.asks).toEqual(asked.asks);
    expect(told).toMatchObject({ status: 'completed' });
    expect(told.result).toHaveLength(kinds.length);
    const { stdout } = await workspace.run('runs', '--json');
    expect(stdout).toContain(asked.run);
  });
});

test('daemon recovers runs with invalid results in the journal of an earlier version [HOSTILE-RECOVERY]', async () => {
  await workspace.stop();
  await plantRuns(join(workspace.dataDir, 'journal'));
  client = await workspace.connect();

  const [nothing, deep, good] = await Promise.all(
    ['run_old_nothing', 'run_old_deep', 'run_old_good'].map((run) =>
      client.call('pml_continue', { run, decision: 'wait' }),
    ),
  );

  // PML answers a run of one task like a direct call if it ends while a client waits.
  expect(textOf(nothing ?? {})).toContain('SERVER_PROTOCOL_ERROR');
  expect(nothing?.result?.['isError']).toBe(true);
  expect(told(deep)).toMatchObject({ status: 'completed', result: 'string' });
  expect(textOf(good ?? {})).toBe('"on"');
  const { stdout } = await workspace.run('runs', '--json');
  for (const run of ['nothing', 'over', 'deep', 'good']) expect(stdout).toContain(`run_old_${run}`);
  expect((await workspace.run('show', 'run_old_over')).stdout).toContain('SERVER_PROTOCOL_ERROR');
});

const told = (answer: Answer | undefined) => answer?.result?.['structuredContent'];

/** Runs of an earlier version that recorded every answer of a server unchecked. */
async function plantRuns(directory: string): Promise<void> {
  await using log = await openFileRunLog({ directory, log: silentLogger });
  const at = Date.now();
  const start = (run: string, rest: object): RunEvent => {
    const base = {
      type: 'run-started',
      run: runId(run),
      at,
      approve: 'risky',
      context: {},
    } as const;
    return { ...base, tasks: [], ...rest };
  };
  const called = (id: string, tool: string, args: JsonObject): Task => {
    return { id: taskId(id), tool: parseToolId(tool).id, args, needs: [] };
  };
  const begun = (task: string): RunEvent => {
    return { type: 'task-started', task: taskId(task), at, repeatable: false };
  };
  const answered = (task: string, content: unknown): RunEvent => {
    const result = { content } as unknown as ToolResult;
    return { type: 'task-completed', task: taskId(task), at, ms: 1, result };
  };
  const bad = { tasks: [called('a', 'bad:answer', { kind: 'content of null' })] };
  const nothing = [begun('a'), answered('a', [null])];
  const over: RunEvent = { type: 'run-finished', at, outcome: 'completed' };
  const deep = [{ type: 'text', text: `${'['.repeat(20_000)}${']'.repeat(20_000)}` }];
  const script = {
    code: `return typeof (await mcp.bad.peek({ kind: 'deep text' }))`,
    args: {},
    seed: 1,
  };
  const peek = called('c1', 'bad:peek', { kind: 'deep text' });
  await log.append(runId('run_old_nothing'), [start('run_old_nothing', bad), ...nothing]);
  await log.append(runId('run_old_over'), [start('run_old_over', bad), ...nothing, over]);
  await log.append(runId('run_old_deep'), [
    start('run_old_deep', { script }),
    { type: 'task-called', task: peek, at },
    begun('c1'),
    answered('c1', deep),
  ]);
  await log.append(runId('run_old_good'), [
    start('run_old_good', { tasks: [called('a', 'bad:echo', { value: 'on' })] }),
  ]);
}

type Json = Record<string, unknown>;
