import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { chaos, plain, Workspace } from '../helpers/workspace.js';

let workspace: Workspace;
let client: PmlClient;

beforeAll(async () => {
  workspace = await Workspace.create({
    mcpServers: {
      bad: chaos('', {}, { timeoutMs: 1_500 }),
      patient: chaos('', {}, { timeoutMs: 60_000 }),
      chatty: chaos('', {}, { timeoutMs: 400 }),
      good: plain(),
    },
  });
  client = await workspace.connect();
  await client.text('good__echo', { text: 'warm' });
  await client.text('bad__act', { mode: 'ok' });
});

afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
});

const act = (mode: string) => client.call('bad__act', { mode });

describe('an answer that is odd but usable arrives', () => {
  test.each([
    ['garbage', 'after the garbage'],
    ['garbage-then-id-first', 'found'],
    ['wrong-id', 'for you'],
    ['twice', 'first'],
    ['utf8', 'a\uFFFD\uFFFD\uFFFDb'],
    ['split', 'été 🎉'.repeat(20)],
    ['storm:2000', 'stormed'],
    ['stderr:20', 'flooded'],
    ['is-error', 'the tool failed'],
  ])('odd but usable answer `%s` reaches the client', async (mode, expected) => {
    const answer = await client.call('patient__act', { mode });

    expect(textOf(answer)).toBe(expected);
    expect(answer.result?.['isError'] ?? false).toBe(mode === 'is-error');
    expect(await client.text('good__echo', { text: mode })).toBe(mode);
  });

  test('result without content reaches the client with empty content', async () => {
    expect((await act('no-content')).result).toEqual({ content: [] });
  });

  test('result keys that would change a prototype stay data', async () => {
    const { result } = await act('proto');

    expect(JSON.stringify(result)).toContain('"polluted":true');
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(await client.text('good__echo', { text: 'sane' })).toBe('sane');
  });

  test('error of a server reaches the client with its own code', async () => {
    expect((await act('rpc-error')).error).toEqual({ code: -32050, message: 'boom' });
    expect((await act('odd-error')).error).toMatchObject({ code: -32603 });
  });
});

describe('a call that cannot be answered gets an error with a name', () => {
  test.each([
    ['hang', 'TOOL_TIMED_OUT'],
    ['unterminated-garbage', 'TOOL_TIMED_OUT'],
    ['null-result', 'SERVER_PROTOCOL_ERROR'],
    ['crash', 'SERVER_CRASHED'],
    ['exit', 'SERVER_CRASHED'],
    ['half-then-die', 'SERVER_CRASHED'],
    ['bad-content', 'SERVER_PROTOCOL_ERROR'],
    ['deep:200000', 'SERVER_PROTOCOL_ERROR'],
    ['flood', '(?:TOOL_TIMED_OUT|SERVER_PROTOCOL_ERROR)'],
  ])('call answered with `%s` fails with %s', async (mode, code) => {
    const failing = act(mode);

    expect(await client.text('good__echo', { text: mode })).toBe(mode);
    const answer = await failing;
    expect(textOf(answer)).toMatch(new RegExp(`^\\[${code}\\] .*bad`));
    expect(answer.result?.['isError']).toBe(true);
    expect(await client.text('bad__act', { mode: 'ok' })).toBe('ok');
  });

  test('call with endless progress times out', async () => {
    const answer = await client.call('chatty__act', { mode: 'progress' }, { progressToken: 'p' });

    expect(textOf(answer)).toMatch(/^\[TOOL_TIMED_OUT\]/);
    expect(client.notifications.length).toBeGreaterThan(0);
  });

  test('workflow task fails with the same error code as a direct call', async () => {
    const answer = await client.call('pml_execute_workflow', {
      tasks: [
        { id: 'a', tool: 'bad:act', args: { mode: 'crash' } },
        { id: 'b', tool: 'good:echo', args: { text: 'b' } },
        { id: 'c', tool: 'patient:act', args: { mode: 'rpc-error' } },
      ],
    });

    expect(answer.result?.['isError']).toBe(true);
    expect(answer.result?.['structuredContent']).toMatchObject({
      status: 'failed',
      tasks: {
        a: { error: { code: 'SERVER_CRASHED' } },
        b: { status: 'completed', result: 'b' },
        c: { error: { code: 'SERVER_ERROR' } },
      },
    });
  });
});

// covers: SERVER-CRASHES
test('PML retries a read-only call once after a crash, and no other call', async () => {
  const read = textOf(await client.call('bad__peek', { mode: 'crash' }));
  const write = textOf(await act('crash'));

  expect(read).toMatch(/^\[SERVER_CRASHED\]/);
  expect(write).toMatch(/^\[SERVER_CRASHED\]/);
  expect(await client.text('bad__act', { mode: 'ok' })).toBe('ok');
});

test('PML keeps a result of 50 MB, answers with a preview and delays no other client', async () => {
  const huge = client.call('patient__act', { mode: 'huge:50' });
  const echoes = Array.from({ length: 20 }, (_, i) => client.text('good__echo', { text: `${i}` }));

  expect(await Promise.all(echoes)).toHaveLength(20);
  const text = textOf(await huge);
  expect(text).toContain('50000000 characters');
  expect(text.length).toBeLessThan(5_000);
});
