import { describe, expect, test } from 'vitest';

import { offlineWorkflows } from '../../../test/helpers/offline-sessions.js';
import { id } from '../../../test/helpers/past-intent.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { estimateTokens, type JsonObject, runId, THE_USER } from '../../core/index.js';
import { NO_TRAIL } from '../../discovery/index.js';
import { createContextBudget } from '../../tool-text/index.js';
import type { RequestContext } from '../../tools/request-context.js';
import type { GatewaySettings } from '../../tools/settings.js';
import type { Workflows } from '../../workflows/index.js';
import { serveDiscover } from './serve-discover.js';

function contextOf(workflows: Workflows): RequestContext {
  return {
    caller: {
      session: 's',
      principal: THE_USER,
      user: 's',
      era: 'legacy',
      info: { name: 'client' },
      capabilities: {},
      ask: async () => ({}),
      tell: () => {},
    },
    signal: new AbortController().signal,
    onProgress: undefined,
    budget: { current: createContextBudget(workflows.tools.settings.context) },
    trail: { current: NO_TRAIL },
  };
}

interface Answer {
  readonly hits: readonly { readonly tool: string }[];
  readonly more?: number;
  readonly note?: string;
}

async function office(changes: Partial<GatewaySettings> = {}) {
  const folder = await temporaryFolder();
  const { workflows, list } = await offlineWorkflows(['mail', 'files'], {
    changes,
    dataDir: folder.path,
  });
  list('mail', ['send_mail', 'search_mail', 'delete_mail'], 'Works with the mailbox of the user');
  list('files', ['read_file', 'write_file', 'list_files'], 'Works with files on the local disk');
  const context = contextOf(workflows);
  const ask = async (args: JsonObject) => {
    const { content } = await serveDiscover(workflows, args, context);
    const [part] = content as { text: string }[];
    return { text: part!.text, ...(JSON.parse(part!.text) as Answer) };
  };
  return { workflows, context, ask, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const ids = ({ hits }: Answer) => hits.map(({ tool }) => tool);

describe('invalid requests', () => {
  test.each<[JsonObject, RegExp]>([
    [{}, /exactly one of/],
    [{ intent: '' }, /exactly one of/],
    [{ intent: ' \n\t ' }, /exactly one of/],
    [{ intent: 'mail', name: 'send_mail' }, /exactly one of/],
    [{ intent: 'x'.repeat(100_000) }, /intent: at most 20000 characters/],
    [{ intent: 5 }, /intent: .*string/],
    [{ intent: ['mail'] }, /intent: .*string/],
    [{ intent: null }, /intent: .*string/],
    [{ intent: 'mail', limit: 0 }, /limit/],
    [{ intent: 'mail', limit: 'many' }, /limit: .*number/],
    [{ intent: 'mail', kind: 'magic' }, /kind/],
    [{ intent: 'mail', query: 'mail' }, /query/],
    [{ intent: 'mail', server: 'nosuch' }, /No server fits "nosuch". There are: files, mail/],
  ])('pml_discover rejects %j and says why', async (args, message) => {
    await using one = await office();

    await expect(one.ask(args)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(message) as string,
    });
    expect(one.context.trail.current.shown).toEqual([]);
  });
});

describe('a request that is nearly right is answered', () => {
  test('pml_discover accepts other parameter names, numbers as texts and too high a limit', async () => {
    await using one = await office();

    const answer = await one.ask({ query: 'mail', limit: '2' });
    const many = await one.ask({ intent: 'mail', limit: 100 });

    expect(answer.hits.length).toBeLessThanOrEqual(2);
    expect(ids(answer)[0]).toMatch(/^mail:/);
    expect(many.note).toContain('limit: 50 is the most');
  });

  test('pml_discover answers a wrong name with similar names, a destructive tool never first', async () => {
    await using one = await office();

    const answer = await one.ask({ name: 'delete_mial' });

    expect(ids(answer)).toContain('mail:delete_mail');
    expect(ids(answer)[0]).not.toBe('mail:delete_mail');
  });
});

test('pml_discover marks destructive tools and ranks none first for a question', async () => {
  await using one = await office();

  const asked = await one.ask({ intent: 'what mail did I delete?' });
  const wanted = await one.ask({ intent: 'delete a mail' });

  expect(ids(asked)[0]).not.toBe('mail:delete_mail');
  expect(wanted.hits[0]).toMatchObject({ tool: 'mail:delete_mail', risk: 'destructive' });
});

describe('odd requests are answered', () => {
  test.each([
    '🦜🦜🦜',
    '\u0000\u0001\u001b[31m',
    "'; DROP TABLE tools; --",
    '(.*)+$ [^a] \\d{9,}',
    '${process.exit()} %s %n',
    '<script>alert(1)</script>',
    'x '.repeat(10_000),
    '\uD800 half a character',
    'メールを送る',
  ])('pml_discover answers the odd request %j', async (intent) => {
    await using one = await office();

    const answer = await one.ask({ intent });

    expect(Array.isArray(answer.hits)).toBe(true);
    expect(answer.text).toBe(JSON.stringify(JSON.parse(answer.text)));
  });

  test.each(['🦜🦜🦜', 'quantum chromodynamics lattice'])(
    'pml_discover says that nothing fits %j',
    async (intent) => {
      await using one = await office();

      expect((await one.ask({ intent })).note).toMatch(/Nothing matches/);
    },
  );
});

describe('what is asked for is found', () => {
  test.each([
    ['send_mail', 'mail:send_mail'],
    ['mail:send_mail', 'mail:send_mail'],
    ['send mail', 'mail:send_mail'],
    ['sned mial', 'mail:send_mail'],
    ['delete a mail', 'mail:delete_mail'],
    ['wriet file', 'files:write_file'],
  ])('given %j, pml_discover ranks %s first', async (intent, expected) => {
    await using one = await office();

    expect(ids(await one.ask({ intent }))[0]).toBe(expected);
  });

  test('pml_discover finds tools by name, by glob and on one server', async () => {
    await using one = await office();

    expect(ids(await one.ask({ name: 'read_file' }))).toEqual(['files:read_file']);
    expect(ids(await one.ask({ pattern: '*_mail' }))).toHaveLength(3);
    expect(ids(await one.ask({ intent: 'search mail', server: 'fil*' }))).not.toContain(
      'mail:search_mail',
    );
  });

  test('pml_discover says that there are no capabilities yet', async () => {
    await using one = await office();

    const answer = await one.ask({ intent: 'send mail', kind: 'capability' });

    expect(answer.hits).toEqual([]);
    expect(answer.note).toMatch(/no such capability yet.*without "kind"/);
    expect(ids(await one.ask({ intent: 'send mail', kind: 'tool' }))).not.toEqual([]);
  });

  test('pml_discover finds a capability, and says so when no capability fits', async () => {
    await using one = await office();
    const learned = one.workflows.tools.capabilities.learn({
      code: 'await mcp.mail.search_mail({});\nawait mcp.files.list_files({});',
      intent: 'collect the invoices of the month',
      run: runId('run_1'),
      calls: ['mail:search_mail', 'files:list_files'].map((tool) => ({ tool: id(tool), ok: true })),
      definitionOf: (tool) => one.workflows.tools.lockedDefinition(tool),
      ms: 10,
    });
    expect(learned.kind).toBe('new');
    const kind = 'capability';

    const fitting = async () => ids(await one.ask({ intent: 'collect the invoices', kind }));
    await expect.poll(fitting).toEqual([expect.stringMatching(/^cap:/)]);
    const unrelated = await one.ask({ intent: 'water the plants in the kitchen', kind });

    expect(unrelated.hits).toEqual([]);
    expect(unrelated.note).toMatch(/^No capability fits\. Repeat without "kind" to find tools/);
  });

  test('pml_discover filters by permission, and never shows denied tools', async () => {
    const permissions = { allow: [], ask: ['mail:send*'], deny: ['mail:delete*'] };
    await using one = await office({ permissions });

    expect(ids(await one.ask({ intent: 'mail', permission: 'ask' }))).toEqual(['mail:send_mail']);
    expect(ids(await one.ask({ intent: 'mail', permission: 'allow' }))).not.toContain(
      'mail:send_mail',
    );
    expect(ids(await one.ask({ intent: 'delete mail', limit: 50 }))).not.toContain(
      'mail:delete_mail',
    );
  });

  test('pml_discover returns near ties in the same order every time', async () => {
    await using one = await office();
    await using other = await office();

    const answer = await one.ask({ intent: 'works with the user', limit: 6 });

    expect(ids(await one.ask({ intent: 'works with the user', limit: 6 }))).toEqual(ids(answer));
    expect(ids(await other.ask({ intent: 'works with the user', limit: 6 }))).toEqual(ids(answer));
  });
});

test('pml_discover keeps an answer with five hits short', async () => {
  await using one = await office();

  const answer = await one.ask({ intent: 'mail of the user or a file on the disk' });

  expect(answer.hits.length).toBeGreaterThanOrEqual(3);
  expect(estimateTokens(answer.text)).toBeLessThanOrEqual(350);
});

test('pml_discover records only shown tools in the trail of the client, and only for intents', async () => {
  await using one = await office();

  await one.ask({ name: 'read_file' });
  await one.ask({ pattern: '*' });
  expect(one.context.trail.current.shown).toEqual([]);
  await one.ask({ intent: 'send mail', limit: 1 });

  expect(one.context.trail.current.shown).toMatchObject([
    { intent: 'send mail', tools: [id('mail:send_mail')] },
  ]);
});

test('pml_discover names a server that has not been listed', async () => {
  await using folder = await temporaryFolder();
  const { workflows, list } = await offlineWorkflows(['mail', 'slow'], { dataDir: folder.path });
  list('mail', ['send_mail'], 'Sends mail');

  const { content } = await serveDiscover(workflows, { intent: 'send mail' }, contextOf(workflows));

  expect((content as { text: string }[])[0]?.text).toContain('slow');
});
