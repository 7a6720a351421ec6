/** Clients and servers of different protocol revisions, and who must give permission. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer, PmlClient } from '../helpers/pml-client.js';
import {
  ALL_CAPABILITIES,
  answerEverything,
  connectSdk,
  resultText,
} from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const talkative = (era: 'legacy' | 'modern') => ({
  command: process.execPath,
  args: [join(FIXTURES, 'talkative-server.mjs'), era],
});
const capabilities = { elicitation: {} };

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.create({
    exposure: 'proxy',
    permissions: { ask: ['*:echo', 'new:ask'], deny: ['*:lines'] },
    mcpServers: { old: talkative('legacy'), new: talkative('modern') },
  });
  const client = await workspace.connect();
  await client.request('tools/list');
});

afterAll(() => workspace[Symbol.asyncDispose]());

/** Speaks the stateless revision: every request names its client and its capabilities. */
function modern(client: PmlClient) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const request = (method: string, params: object, meta: object = {}) =>
    client.request(method, { ...params, _meta: { ...envelope, ...meta } });
  return {
    request,
    call: (name: string, args: object, rest: object = {}, meta: object = {}) =>
      request('tools/call', { name, arguments: args, ...rest }, meta),
  };
}

const accepted = (content: object) => ({ action: 'accept', content });
const stateOf = ({ result }: Answer) => String(result?.['requestState']);
const questionsOf = ({ result }: Answer) =>
  Object.entries((result?.['inputRequests'] ?? {}) as Record<string, { params: object }>);

/** Answers every question of an `input_required` result alike. */
const answers = (asked: Answer, content: object) => ({
  requestState: stateOf(asked),
  inputResponses: Object.fromEntries(
    questionsOf(asked).map(([key]) => [key, accepted(content)] as const),
  ),
});

describe('a client of 2026-07-28 with a server that asks in the middle of a call', () => {
  const ask = { method: 'elicitation/create' };

  // covers: ERAS-BOTH
  test('modern client gets the question as a result, and its answer resumes the held call', async () => {
    const { call } = modern(workspace.spawn());

    const asked = await call('old__ask', ask);
    const done = await call('old__ask', ask, answers(asked, { colour: 'red' }));

    expect(asked.result).toMatchObject({ resultType: 'input_required' });
    expect(questionsOf(asked)[0]?.[1].params).toMatchObject({ message: 'Which colour?' });
    expect(done.result).toMatchObject({ resultType: 'complete' });
    expect(resultText(done.result ?? {})).toContain('"colour":"red"');
  });

  test('PML refuses a state that was used before or that it never issued', async () => {
    const { call } = modern(workspace.spawn());
    const asked = await call('old__ask', ask);
    await call('old__ask', ask, answers(asked, { colour: 'red' }));

    const again = await call('old__ask', ask, answers(asked, { colour: 'green' }));
    const forged = await call('old__ask', ask, { requestState: 'pml.forged', inputResponses: {} });

    expect([again.error?.code, forged.error?.code]).toEqual([-32602, -32602]);
  });

  test('request that returns without an answer is asked again, under a new state', async () => {
    const { call } = modern(workspace.spawn());
    const asked = await call('old__ask', ask);

    const again = await call('old__ask', ask, { requestState: stateOf(asked), inputResponses: {} });

    expect(again.result).toMatchObject({ resultType: 'input_required' });
    expect(stateOf(again)).not.toBe(stateOf(asked));
    const done = await call('old__ask', ask, answers(again, { colour: 'blue' }));
    expect(resultText(done.result ?? {})).toContain('blue');
  });

  test('progress after the answer goes to the request that brought the answer', async () => {
    const client = workspace.spawn();
    const { call } = modern(client);
    const asked = await call('old__ask_then_report', {}, {}, { progressToken: 'first' });

    await call('old__ask_then_report', {}, answers(asked, {}), { progressToken: 'second' });

    const reports = client.notifications.filter((one) => one.method === 'notifications/progress');
    expect(reports.map(({ params }) => params)).toEqual([{ progressToken: 'second', progress: 9 }]);
  });

  test('official client answers the question of a server by itself', async () => {
    await using client = await connectSdk(workspace, {
      era: 'modern',
      capabilities: ALL_CAPABILITIES,
      prepare: answerEverything,
    });

    const results = await Promise.all(
      ['old__ask', 'new__meta', 'old__rows'].map((name) =>
        client.callTool({ name, arguments: { ...ask, count: 1 } }),
      ),
    );

    expect(resultText(results[0] ?? {})).toContain('"colour":"blue"');
    expect(resultText(results[1] ?? {})).toContain('2026-07-28');
    expect(results[2]?.structuredContent).toEqual({ rows: [{ id: 0, name: 'row 0' }] });
  });
});

describe('a client of 2025-11-25 with a server of 2026-07-28 alone', () => {
  const answering = () =>
    workspace.connect({ capabilities, answer: () => accepted({ colour: 'green', allow: true }) });

  // covers: ERAS-BOTH
  test('legacy client is asked during the call when a modern server asks by ending it', async () => {
    const client = await answering();

    const { result } = await client.call('new__ask_then_report');

    expect(resultText(result ?? {})).toContain('"colour":"green"');
    expect(result).not.toHaveProperty('resultType');
    expect(client.asked.map(({ method }) => method)).toEqual(['elicitation/create']);
  });

  test('legacy client gets a prompt that needs an answer first', async () => {
    const client = await answering();

    const { result } = await client.request('prompts/get', { name: 'new__ask' });

    expect(JSON.stringify(result?.['messages'])).toContain('green');
  });

  test('legacy client without elicitation gets an error that says so', async () => {
    const client = await workspace.connect();

    const { error } = await client.call('new__ask_then_report');

    expect(error?.message).toContain('does not support elicitation');
  });

  test('legacy client is notified of new tools', async () => {
    const client = await workspace.connect();

    await client.call('new__grow');

    await expect.poll(async () => (await client.call('new__late')).result).toBeDefined();
    await expect
      .poll(() => client.notifications.map(({ method }) => method))
      .toContain('notifications/tools/list_changed');
  });
});

test('call carries metadata of the client, and nothing of another revision', async () => {
  const { call } = modern(workspace.spawn());
  const meta = {
    'example.com/trace': 'abc',
    'io.modelcontextprotocol/related-task': { taskId: '1' },
  };

  const old = await call('old__meta', {}, {}, { ...meta, progressToken: 7 });

  const { progressToken, ...kept } = JSON.parse(resultText(old.result ?? {})) as Record<
    string,
    unknown
  >;
  expect(kept).toEqual(meta);
  expect(progressToken).not.toBe(7);
});

describe('permission', () => {
  test.each([
    ['accepted and allowed', accepted({ allow: true }), 'hi'],
    ['accepted without allowing', accepted({ allow: false }), 'TOOL_DENIED'],
    ['declined', { action: 'decline' }, 'TOOL_DENIED'],
  ])('user decides whether a call passes: question %s', async (_how, answer, outcome) => {
    const client = await workspace.connect({ capabilities, answer: () => answer });

    const { result } = await client.call('old__echo', { text: 'hi' });

    expect(resultText(result ?? {})).toContain(outcome);
    expect(client.asked[0]?.params?.['message']).toContain('old:echo with {"text":"hi"}');
  });

  test('client that cannot ask its user is refused with a remedy', async () => {
    const client = await workspace.connect();

    const { result } = await client.call('old__echo', { text: 'hi' });

    expect(result?.['isError']).toBe(true);
    expect(resultText(result ?? {})).toMatch(/TOOL_DENIED.*permissions\.allow/);
  });

  // covers: SAFE-DENY
  test('denied tool is neither listed nor called', async () => {
    const client = await workspace.connect();
    const { result } = await client.request('tools/list');

    const called = await client.call('old__lines', { count: 1 });

    const tools = (result?.['tools'] ?? []) as { name: string }[];
    const names = tools.map(({ name }) => name);
    expect(names).toContain('old__rows');
    expect(names).not.toContain('old__lines');
    expect(resultText(called.result ?? {})).toContain('TOOL_DENIED');
  });

  test('modern client is asked once, even if the server asks as well', async () => {
    const { call } = modern(workspace.spawn());
    const args = { method: 'elicitation/create' };

    const permission = await call('new__ask', args);
    const question = await call('new__ask', args, answers(permission, { allow: true }));
    const done = await call('new__ask', args, answers(question, { colour: 'red' }));

    expect(questionsOf(permission)[0]?.[1].params).toMatchObject({ message: expect.any(String) });
    expect(questionsOf(question)[0]?.[1].params).toMatchObject({ message: 'Which colour?' });
    expect(resultText(done.result ?? {})).toContain('"colour":"red"');
  });
});
