/** Every message of a server reaches its client, and replies return, in both modes. */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { ResourceNotFoundError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import {
  ALL_CAPABILITIES,
  answerEverything,
  connectSdk,
  resultText,
} from '../helpers/sdk-client.js';
import { plain, Workspace } from '../helpers/workspace.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const talk = {
  command: process.execPath,
  args: [join(FIXTURES, 'talkative-server.mjs'), 'legacy'],
};

type SdkClient = Awaited<ReturnType<typeof connectSdk>>;
type CallOptions = Parameters<SdkClient['callTool']>[1];

/** How a tool is called in each mode. */
const CALLS = {
  proxy: (tool: string, args: object) => ({ name: `talk__${tool}`, arguments: { ...args } }),
  meta: (tool: string, args: object) => ({
    name: 'pml_execute_workflow',
    arguments: { tasks: [{ tool: `talk:${tool}`, args }] },
  }),
};

describe.each(['proxy', 'meta'] as const)('in %s mode', (exposure) => {
  let workspace: Workspace;
  let client: SdkClient;
  const logs: unknown[] = [];

  beforeAll(async () => {
    workspace = await Workspace.create({ exposure, mcpServers: { talk, plain: plain() } });
    client = await connectSdk(workspace, {
      capabilities: ALL_CAPABILITIES,
      prepare: (one) => {
        answerEverything(one);
        one.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params));
      },
    });
    await client.listTools();
  });

  afterAll(async () => {
    await client.close();
    await workspace[Symbol.asyncDispose]();
  });

  const call = (tool: string, args: object = {}, options?: CallOptions) =>
    client.callTool(CALLS[exposure](tool, args), options);

  // covers: PASS-CONTENT
  test('images, links and metadata of a result reach the client', async () => {
    const { content, _meta } = await call('picture');

    expect(content.map(({ type }) => type)).toEqual(['image', 'resource_link']);
    expect(_meta).toMatchObject({ 'talk/shade': 'red' });
  });

  // covers: PASS-CONTENT
  test('structured content of a result reaches the client', async () => {
    const { structuredContent } = await call('rows', { count: 2 });

    expect(structuredContent).toEqual({
      rows: [
        { id: 0, name: 'row 0' },
        { id: 1, name: 'row 1' },
      ],
    });
  });

  // covers: PASS-FAILURE
  test('failed result reaches the client as a failure', async () => {
    const result = await call('fail');

    expect(result.isError).toBe(true);
    expect(resultText(result)).toContain('disk full');
  });

  // covers: PASS-PROGRESS
  test('progress arrives in order, under the token of the client, before the answer', async () => {
    const raw = await workspace.connect();
    const { name, arguments: args } = CALLS[exposure]('progress', {});

    await raw.call(name, args, { progressToken: 'mine' });

    const reports = raw.notifications.filter(({ method }) => method === 'notifications/progress');
    expect(reports.map(({ params }) => params)).toEqual(
      [1, 2, 3].map((progress) => ({
        progressToken: 'mine',
        progress,
        total: 3,
        message: `step ${progress}`,
      })),
    );
  });

  // covers: PASS-CANCEL
  test('PML cancels a cancelled call on its server', async () => {
    const stop = new AbortController();
    const before = Number(resultText(await call('cancelled')));

    const waiting = call('wait', {}, { signal: stop.signal, onprogress: () => stop.abort() });

    await expect(waiting).rejects.toThrow(/abort/i);
    await expect.poll(async () => Number(resultText(await call('cancelled')))).toBe(before + 1);
  });

  test.each([
    ['elicitation/create', '"colour":"blue"'],
    ['sampling/createMessage', 'sampled'],
    ['roots/list', 'file:///work'],
  ])('server may send %s during a call', async (method, answer) => {
    expect(resultText(await call('ask', { method }))).toContain(answer);
  });

  test('log messages name their server and respect the log level', async () => {
    await client.setLoggingLevel('warning');
    await call('log', { level: 'info' });
    await call('log', { level: 'error' });

    await expect
      .poll(() => logs)
      .toContainEqual(
        expect.objectContaining({ level: 'error', logger: 'talk:talk', data: 'hello' }),
      );
    expect(logs).not.toContainEqual(expect.objectContaining({ level: 'info' }));
  });

  // covers: PASS-LISTS
  test('resources, templates, prompts and completions reach the client', async () => {
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    const read = await client.readResource({ uri: 'talk://item/7' });
    const greeting = await client.getPrompt({ name: 'talk__greet', arguments: { who: 'Ann' } });
    const ref = { type: 'ref/prompt' as const, name: 'talk__greet' };
    const { completion } = await client.complete({ ref, argument: { name: 'who', value: 'A' } });

    expect(resources.map(({ uri }) => uri)).toContain('talk://note');
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('talk://item/{id}');
    expect(prompts.map(({ name }) => name)).toContain('talk__greet');
    expect(read.contents[0]).toMatchObject({ uri: 'talk://item/7' });
    expect(JSON.stringify(greeting.messages)).toContain('Ann');
    expect(completion.values).toEqual(['greet:A!']);
  });

  test('progress token of the client never reaches a server', async () => {
    const onprogress = () => {};

    const { contents } = await client.readResource({ uri: 'talk://note' }, { onprogress });

    // The server sees PML's token or none: the client's token would name another request here.
    expect(JSON.stringify(contents)).not.toContain('io.modelcontextprotocol');
  });

  test('subscription of one client survives when another client ends its own', async () => {
    await using other = await connectSdk(workspace);
    const updated = vi.fn<() => void>();
    client.setNotificationHandler('notifications/resources/updated', updated);
    await client.subscribeResource({ uri: 'talk://note' });
    await other.subscribeResource({ uri: 'talk://note' });

    await other.unsubscribeResource({ uri: 'talk://note' });

    expect(resultText(await call('subscriptions'))).toBe('["talk://note"]');
    await call('touch');
    await expect.poll(() => updated.mock.calls.length).toBe(1);
    await client.unsubscribeResource({ uri: 'talk://note' });
    expect(resultText(await call('subscriptions'))).toBe('[]');
  });

  test('PML renews subscriptions at a restarted server while a client is subscribed', async () => {
    const watched = async () => resultText(await call('subscriptions'));
    {
      await using other = await connectSdk(workspace);
      await other.subscribeResource({ uri: 'talk://note' });
      const { stdout } = await workspace.run('status', '--json');
      const { servers } = JSON.parse(stdout) as { servers: { name: string; pids: number[] }[] };
      const pids = servers.find(({ name }) => name === 'talk')?.pids ?? [];
      expect(pids).toHaveLength(1);

      for (const pid of pids) process.kill(pid, 'SIGKILL');

      await expect.poll(watched).toBe('["talk://note"]');
    }
    await expect.poll(watched).toBe('[]');
  });

  test.each(['pml://result/r_gone', 'pml://server/nobody/x', 'pml://server/talk/%'])(
    'the resource %s is not found',
    async (uri) => {
      await expect(client.readResource({ uri })).rejects.toThrow(ResourceNotFoundError);
    },
  );

  // covers: RESULT-LONG
  test('client can read a long text to its end from its preview', async () => {
    const whole = Array.from({ length: 9_000 }, (_, i) => `line ${i} äöü`).join('\n');

    const preview = await call('lines', { count: 9_000 });

    const link = preview.content.find(({ type }) => type === 'resource_link') as { uri: string };
    const { contents } = await client.readResource({ uri: link.uri });
    expect(contents).toEqual([{ uri: link.uri, mimeType: 'text/plain', text: whole }]);
    expect(resultText(preview).length).toBeLessThan(3_000);
    expect(await readPages(link.uri.slice('pml://result/'.length))).toBe(whole);
  });

  test.runIf(exposure === 'proxy')(
    'long structured content of a listed tool stays whole: clients check it',
    async () => {
      const result = await call('rows', { count: 5_000 });

      expect((result.structuredContent as { rows: unknown[] }).rows).toHaveLength(5_000);
      expect(resultText(result)).toContain('pml://result/');
    },
  );

  async function readPages(handle: string): Promise<string> {
    let whole = '';
    for (let offset = 0; ;) {
      const args = { handle, offset, limit: 25_000 };
      const request =
        exposure === 'proxy'
          ? { name: 'pml:read_result', arguments: args }
          : {
              name: 'pml_execute_workflow',
              arguments: { tasks: [{ tool: 'pml:read_result', args }] },
            };
      const page = resultText(await client.callTool(request));
      const hint = /\n\[\d+ of \d+; go on with "offset": (\d+)\]$/.exec(page);
      whole += hint ? page.slice(0, hint.index) : page;
      if (!hint) return whole;
      offset = Number(hint[1]);
    }
  }

  test('new tool is announced where tools are listed, and can be called', async () => {
    const changed = vi.fn<() => void>();
    client.setNotificationHandler('notifications/tools/list_changed', changed);

    await call('grow');

    await expect
      .poll(async () => resultText(await call('late').catch(() => ({}))))
      .toBe('late but here');
    const isListed = exposure === 'proxy';
    await expect.poll(() => changed.mock.calls.length > 0).toBe(isListed);
  });
});

test('tool list is the same, byte for byte, after a daemon restart', async () => {
  await using workspace = await Workspace.create({
    exposure: { mode: 'hybrid', pin: ['talk:e*'] },
    mcpServers: { talk, plain: plain() },
  });
  const list = async () => {
    const client = await workspace.connect();
    return JSON.stringify((await client.request('tools/list')).result);
  };

  const first = await list();
  await workspace.stop();
  const second = await list();

  expect(second).toBe(first);
  const names = (JSON.parse(first) as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(names).toEqual([
    'pml_discover',
    'pml_read',
    'pml_execute_workflow',
    'pml_execute_code',
    'pml_continue',
    'talk__echo',
  ]);
});

test.each(['meta', 'proxy'] as const)(
  'completion right after the start waits for a slowly starting server in %s mode',
  async (exposure) => {
    // covers: PASS-LISTS
    const file = pathToFileURL(join(FIXTURES, 'conformance-server.mjs')).href;
    const late = `setTimeout(() => import(${JSON.stringify(file)}), 4_000)`;
    const slow = { command: process.execPath, args: ['-e', late] };
    const broken = { command: process.execPath, args: ['-e', 'process.exit(1)'] };
    await using workspace = await Workspace.create({ exposure, mcpServers: { slow, broken } });
    const client = await workspace.connect();
    const complete = (name: string) =>
      client.request('completion/complete', {
        ref: { type: 'ref/prompt', name },
        argument: { name: 'arg1', value: 't' },
      });

    const [known, unknown] = await Promise.all([
      complete('slow__test_prompt_with_arguments'),
      complete('slow__no_such_prompt'),
    ]);

    expect(known.result).toEqual({ completion: { values: [], total: 0, hasMore: false } });
    expect(unknown.error).toMatchObject({ code: -32602 });
  },
);
