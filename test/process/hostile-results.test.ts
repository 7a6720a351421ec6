/** A server that answers every kind of nonsense, through every way to call it. */
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

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
  'unknown result type',
];

/** What is wrong with an answer: nothing for a result, or an error with a name. */
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

  test('every kind of nonsense gets an answer when a client calls the tool itself [HOSTILE-RESULTS]', async () => {
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

  test('every kind of nonsense ends the task that asked for it and no other [HOSTILE-RESULTS]', async () => {
    const pid = workspace.daemonPid();
    const faults: string[] = [];

    for (const kind of kinds) {
      const answer = await client.call('pml_execute_workflow', {
        tasks: [
          { id: 'bad', tool: 'bad:answer', args: { kind } },
          { id: 'next', tool: 'bad:echo', args: { value: '${bad}' } },
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

    expect(faults).toEqual([]);
    expect(workspace.daemonPid()).toBe(pid);
    expect(workspace.log).not.toMatch(/uncaught|unhandled/);
  });

  test('a single task and a script answer to every kind of nonsense [HOSTILE-RESULTS]', async () => {
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

  test('a capability answers to every kind of nonsense [HOSTILE-RESULTS]', async () => {
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

  test('a run that waits with nonsense in its journal goes on after a kill [HOSTILE-RESULTS]', async () => {
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

type Json = Record<string, unknown>;
