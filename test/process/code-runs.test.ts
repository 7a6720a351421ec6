/** Scripts as runs: approvals, users, time limits, abort, and what PML remembers. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunDetails } from '../../src/control/index.js';
import { silentLogger } from '../../src/core/index.js';
import { createEmbeddedStore } from '../../src/store/index.js';
import {
  decideScript,
  refusalOf,
  runCode,
  scriptOf,
  scriptServers,
} from '../helpers/code-client.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { storeTemplate } from '../helpers/store-template.js';
import { Workspace } from '../helpers/workspace.js';

let workspace: Workspace;
let client: PmlClient;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  workspace.configure({
    embedding: 'none',
    permissions: { ask: ['talk:touch'], deny: ['one:hang'], allow: ['files:*'] },
    mcpServers: scriptServers({ root: workspace.path, ledger: 'ledger' }),
  });
  client = await workspace.connect();
  await client.call('pml_discover', { intent: 'echo' });
});

afterAll(() => workspace[Symbol.asyncDispose]());

const run = (code: string, rest: Record<string, unknown> = {}) => runCode(client, code, rest);
const decide = (id: string, decision: string, rest: Record<string, unknown> = {}) =>
  decideScript(client, id, decision, rest);
const timesOf = (key: string) => {
  const path = join(workspace.path, 'ledger');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text.split('\n').filter((line) => line === key).length;
};
const wipe = (name: string) => `
  const first = await mcp.one.append({ key: '${name}-before' });
  let wiped = 'no';
  try { wiped = await mcp.one.delete_all({ key: '${name}-gone' }) }
  catch (error) { wiped = error.code + ' ' + error.message }
  const last = await mcp.one.append({ key: '${name}-after' });
  return [first.key, wiped, last.key]`;

describe('a risky call in a script [CODE-APPROVAL]', () => {
  test('risky call in a script shows its arguments; once approved, the script continues and repeats nothing', async () => {
    const asked = await run(wipe('a'));

    expect(asked).toMatchObject({
      status: 'needs_approval',
      asks: [{ tool: 'one:delete_all', args: { key: 'a-gone' } }],
    });
    expect([timesOf('a-before'), timesOf('a-gone')]).toEqual([1, 0]);

    const told = await decide(asked.run, 'approve');

    expect(told).toMatchObject({
      status: 'completed',
      result: ['a-before', 'deleted a-gone', 'a-after'],
    });
    expect(['a-before', 'a-gone', 'a-after'].map(timesOf)).toEqual([1, 1, 1]);
  });

  test('rejected call throws in the script, which can continue without it', async () => {
    const asked = await run(wipe('b'));

    const told = await decide(asked.run, 'reject', { because: 'not on a Friday' });

    expect(told.status).toBe('completed');
    expect(told.result).toMatchObject([
      'b-before',
      expect.stringMatching(/^TOOL_DENIED .*not on a Friday/),
      'b-after',
    ]);
    expect(['b-before', 'b-gone', 'b-after'].map(timesOf)).toEqual([1, 0, 1]);
  });

  test('risky call among parallel calls is asked about once, and the other calls are made', async () => {
    const asked = await run(`
      return await Promise.all([
        mcp.one.append({ key: 'c-1' }),
        mcp.one.delete_all({ key: 'c-2' }),
        mcp.one.append({ key: 'c-3' }),
        mcp.one.delete_all({ key: 'c-4' }),
      ])`);

    expect(asked.asks?.map(({ args }) => args['key'])).toEqual(['c-2', 'c-4']);
    expect(['c-1', 'c-2', 'c-3', 'c-4'].map(timesOf)).toEqual([1, 0, 1, 0]);

    const half = await decide(asked.run, 'approve', { tasks: [asked.asks?.[0]?.task] });
    expect(half).toMatchObject({ status: 'needs_approval', asks: [{ args: { key: 'c-4' } }] });
    const told = await decide(asked.run, 'approve');

    expect(told.status).toBe('completed');
    expect(['c-1', 'c-2', 'c-3', 'c-4'].map(timesOf)).toEqual([1, 1, 1, 1]);
  });

  test('call to a harmless tool needs approval if the user configured ask', async () => {
    const asked = await run(`return await mcp.talk.touch({})`);

    expect(asked).toMatchObject({ status: 'needs_approval', asks: [{ tool: 'talk:touch' }] });
    expect(await decide(asked.run, 'approve')).toMatchObject({
      status: 'completed',
      result: 'touched',
    });
  });

  test('denied call is refused whether its name is literal or computed', async () => {
    const written = await refusalOf(client, `await mcp.one.hang({ key: 'e' })`);
    const hidden = await run(`
      const tool = ['ha', 'ng'].join('');
      try { await mcp.one[tool]({ key: 'e' }) } catch (error) { return error.code }`);

    expect(written).toMatch(/^\[TOOL_/);
    expect(hidden.result).toMatch(/^TOOL_/);
    expect(timesOf('e')).toBe(0);
  });

  test('user decides about a risky call if the client can ask', async () => {
    const person = await workspace.connect({
      capabilities: { elicitation: {} },
      answer: ({ params }) => {
        const schema = params?.['requestedSchema'] as { properties: Record<string, object> };
        const [field = ''] = Object.keys(schema.properties);
        const { enum: choices } = schema.properties[field] as { enum?: string[] };
        return { action: 'accept', content: { [field]: choices ? choices[0] : true } };
      },
    });

    const told = await runCode(person, wipe('f'));

    expect(person.asked.map(({ method }) => method)).toEqual(['elicitation/create']);
    expect(String(person.asked[0]?.params?.['message'])).toContain('f-gone');
    expect(told).toMatchObject({
      status: 'completed',
      result: ['f-before', 'deleted f-gone', 'f-after'],
    });
  });

  test('run of a script refuses added tasks and continues', async () => {
    const asked = await run(wipe('h'));

    const tasks = [{ id: 'more', tool: 'one:append', args: { key: 'h-more' } }];
    const refused = await client.call('pml_continue', {
      run: asked.run,
      decision: 'inject',
      tasks,
    });
    const told = await decide(asked.run, 'approve');

    expect(textOf(refused)).toMatch(/^\[BAD_REQUEST\].*makes its own calls/);
    expect(told.status).toBe('completed');
    expect(timesOf('h-more')).toBe(0);
  });

  test('risky call can be approved after the time limit of the script has passed', async () => {
    const asked = await run(wipe('g'), { timeout_ms: 1_000 });
    expect(asked.status).toBe('needs_approval');

    // The time a user takes to decide does not count for the script.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const told = await decide(asked.run, 'approve');

    expect(told).toMatchObject({ status: 'completed' });
    expect(['g-before', 'g-gone', 'g-after'].map(timesOf)).toEqual([1, 1, 1]);
  });
});

describe('a long script', () => {
  test('long script answers "running" on request and is collected with wait', async () => {
    const first = await run(`await mcp.one.slow({ ms: 700 }); return 'slept'`, {
      answer_within_ms: 50,
    });
    const told = await decide(first.run, 'wait');

    expect(first.status).toBe('running');
    expect(told).toMatchObject({ status: 'completed', result: 'slept' });
  });

  test('aborted script cancels its pending call and makes no other', async () => {
    const code = `await mcp.one.slow({ ms: 20000 }); await mcp.one.append({ key: 'aborted' })`;
    const { run: id } = await run(code, { answer_within_ms: 50 });

    const told = await decide(id, 'abort');

    expect(told.status).toBe('aborted');
    expect((await decide(id, 'wait')).status).toBe('aborted');
    expect(timesOf('aborted')).toBe(0);
  });

  test('script ends when its client cancels the request', async () => {
    const intent = 'cancelled by its client';
    const code = `await mcp.one.slow({ ms: 20000 }); await mcp.one.append({ key: 'cancelled-late' })`;
    const args = { code, intent };
    client.send({
      id: 'late',
      method: 'tools/call',
      params: { name: 'pml_execute_code', arguments: args },
    });
    const named = async () => textOf(await client.call('pml_continue', {}));
    await expect.poll(named).toContain(intent);

    client.notify('notifications/cancelled', { requestId: 'late' });

    await expect.poll(named).not.toContain(intent);
    expect(timesOf('cancelled-late')).toBe(0);
  });

  test('long script shows its calls to the user while it runs', async () => {
    const { run: id } = await run(
      `await mcp.one.append({ key: 'shown' }); await mcp.one.slow({ ms: 20000 })`,
      { answer_within_ms: 200 },
    );

    const shown = async () => {
      const { stdout } = await workspace.run('show', id, '--json');
      const { status, tasks } = JSON.parse(stdout) as RunDetails;
      return [status, ...tasks.map(({ tool, status: state }) => `${tool} ${state}`)];
    };
    await expect.poll(shown).toEqual(['running', 'one:append completed', 'one:slow running']);
    await decide(id, 'abort');
  });
});

test('PML remembers the data operations of a script as part of its path [CODE-PATH]', async () => {
  await using own = await Workspace.create('{}');
  own.configure({
    embedding: 'none',
    mcpServers: scriptServers({ root: own.path, ledger: 'ledger' }),
  });
  const agent = await own.connect();
  const { run: id } = scriptOf(
    await agent.call('pml_execute_code', {
      intent: 'write the even rows',
      code: `
        const { rows } = await mcp.talk.rows({ count: 6 });
        const even = rows.filter((row) => row.id % 2 === 0);
        const names = even.map((row) => row.name);
        await mcp.one.append({ key: names.join() });
        return names.length`,
    }),
  );
  await expect.poll(async () => (await own.status()).store).toBeDefined();
  await own.stop();

  await using store = await createEmbeddedStore({
    dataDir: own.dataDir,
    logger: silentLogger,
    template: await storeTemplate(),
  });
  const traces = await store.experience.load({ limit: 10 });
  const path = traces.find((one) => one.run === id)?.calls.map(({ tool }) => String(tool)) ?? [];

  expect(path[0]).toBe('talk:rows');
  expect(path.indexOf('code:filter')).toBeGreaterThan(0);
  expect(path.indexOf('code:map')).toBeGreaterThan(path.indexOf('code:filter'));
  expect(path.at(-1)).toBe('one:append');
});
