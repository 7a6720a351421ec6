/** The dashboard of a real daemon: access, events, and decisions by the browser. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { CapabilityDetails } from '../../src/control/index.js';
import { type Counter, createCounter, execute, goOn, runOf } from '../helpers/counter.js';
import { DashboardClient, openUi } from '../helpers/dashboard.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { fixtureServer, killIfAlive, plain, Workspace } from '../helpers/workspace.js';

let counter: Counter;
let client: PmlClient;
let browser: DashboardClient;

beforeAll(async () => {
  counter = await createCounter({
    permissions: { ask: [{ tool: 'two:append', by: 'person' }], read: ['one:read', 'two:read'] },
  });
  client = await counter.workspace.connect();
  await client.call('pml_read', { tasks: [{ tool: 'one:read' }, { tool: 'two:read' }] });
  browser = await DashboardClient.signIn(counter.workspace);
});

afterAll(() => counter[Symbol.asyncDispose]());

// covers: UI-LOOPBACK
test('daemon listens for browsers on loopback only, whatever http.host says', async () => {
  await using workspace = await Workspace.create({
    http: { host: '0.0.0.0', token: 'a-secret-of-sixteen-or-more' },
    mcpServers: { plain: plain() },
  });
  const { address } = await openUi(workspace);

  const listening = listeners(workspace.daemonPid());

  expect(listening).toEqual([`127.0.0.1:${new URL(address).port}`]);
  expect((await workspace.status()).http).toBeUndefined();
});

// covers: UI-ONE-TIME
test('URL of pml ui works once', async () => {
  const { url } = await openUi(counter.workspace);

  const [first, second] = [
    await fetch(url, { redirect: 'manual' }),
    await fetch(url, { redirect: 'manual' }),
  ];

  expect([first.status, second.status]).toEqual([303, 403]);
});

test('dashboard: false serves nothing, and pml ui says so', async () => {
  await using workspace = await Workspace.create({
    dashboard: false,
    mcpServers: { plain: plain() },
  });

  const { code, stderr } = await workspace.run('ui', '--no-browser');

  expect(code).not.toBe(0);
  expect(stderr).toContain('"dashboard" is false');
  expect(listeners(workspace.daemonPid())).toEqual([]);
});

// covers: UI-ACTIVITY
test('activity and event stream show every call: tasks, code and single calls', async () => {
  await using events = await browser.events();
  await expect.poll(() => events.of('snapshot').length).toBe(1);
  await execute(client, [{ id: 'a', tool: 'one:append', args: { key: 'seen' } }]);
  await client.call('pml_execute_code', {
    code: `await Promise.all([mcp.one.read({}), mcp.one.read({})]); return 1;`,
  });

  const called = () => events.of('call').map(({ call }) => `${call.way} ${call.tool}`);

  await expect
    .poll(called)
    .toEqual(
      expect.arrayContaining([
        'run one:append',
        'run one:read',
        'meta pml_execute_workflow',
        'meta pml_execute_code',
      ]),
    );
  const { rows } = await browser.ask('activity', { text: 'append' });
  expect(rows[0]).toMatchObject({ client: 'test', server: 'one', outcome: 'ok', way: 'run' });
  const shown = await browser.ask('activity-show', { id: rows[0]!.id });
  expect(shown.request?.text).toContain('"key":"seen"');
  expect(shown.response?.text).toContain('content');
});

// covers: UI-PERSON
test('browser approves a call that no agent may approve, and the run continues', async () => {
  await using events = await browser.events();
  const paused = await execute(client, [{ id: 'w', tool: 'two:append', args: { key: 'person' } }], {
    answer_within_ms: 1_000,
  });
  const { run } = runOf(paused);
  const asked = () =>
    events
      .of('question')
      .at(-1)
      ?.questions.map((one) => one.run.run) ?? [];
  await expect.poll(asked).toContain(run);
  const { questions } = await browser.ask('questions', {});
  const refused = await goOn(client, run, 'approve');

  await browser.ask('run-decide', { run, decision: 'approve', message: 'go on' });

  expect(questions.find((one) => one.run.run === run)).toMatchObject({
    kind: 'needs_approval',
    tasks: [{ id: 'w', tool: 'two:append', whom: 'person' }],
  });
  expect(JSON.stringify(refused)).toContain('only the user may decide');
  await expect.poll(() => counter.timesOf('person')).toBe(1);
  await expect.poll(asked).not.toContain(run);
  const changed = () => events.of('run-changed').findLast((one) => one.run.run === run)?.run.status;
  await expect.poll(changed).toBe('completed');
  const shown = await browser.ask('run-show', { run });
  expect(shown.decisions).toMatchObject([{ by: 'user', kind: 'approve' }]);
});

// covers: UI-INVOCATIONS
test('capability shows the calls of its proof with timestamps, including parallel and repeated ones', async () => {
  const { result } = await client.call('pml_execute_code', {
    intent: 'read the ledger of both twice',
    code: `const both = await Promise.all([mcp.one.read({}), mcp.two.read({})]);
      await mcp.one.read({});
      return both.length;`,
  });
  expect(result?.['isError']).not.toBe(true);
  const list = async () => (await browser.ask('capabilities', {})).capabilities;
  const ours = (rows: Awaited<ReturnType<typeof list>>) =>
    rows.find(({ description }) => description === 'read the ledger of both twice');
  await expect.poll(async () => ours(await list())?.name).toBeDefined();
  const { name = '' } = ours(await list()) ?? {};

  const { stdout } = await counter.workspace.run('capabilities', 'show', name, '--json');

  const { invocations = [] } = JSON.parse(stdout) as CapabilityDetails;
  expect(invocations.map(({ call }) => call)).toEqual(['one:read#1', 'two:read#1', 'one:read#2']);
  const [first, second, third] = invocations;
  const end = (one: typeof first) => one!.startMs + one!.ms;
  expect(second!.startMs).toBeLessThanOrEqual(end(first));
  expect(third!.startMs).toBeGreaterThanOrEqual(Math.floor(Math.max(end(first), end(second))) - 1);
});

test('browser reads the events of a finished run page by page, with the outcome of each task', async () => {
  const answer = await execute(client, [
    { id: 'a', tool: 'one:append', args: { key: 'replay-a' } },
    { id: 'b', tool: 'one:append', args: { key: 'replay-b' }, needs: ['a'] },
  ]);
  const { run } = runOf(answer);

  const first = await browser.ask('run-events', { run, limit: 2 });
  const rest = await browser.ask('run-events', { run, after: first.next! });

  expect(first.events).toMatchObject([{ place: 0, type: 'run-started' }, { place: 1 }]);
  expect(rest.next).toBeUndefined();
  expect(rest.events.at(-1)).toMatchObject({ type: 'run-finished', place: rest.total - 1 });
  const states = [...first.events, ...rest.events].filter(({ task }) => task === 'b');
  expect(states.map(({ status }) => status)).toEqual(['running', 'completed']);
  const { tasks } = await browser.ask('run-show', { run });
  const [a, b] = tasks;
  expect(b!.readyMs).toBeGreaterThanOrEqual(a!.startMs! + a!.ms!);
});

// covers: UI-COMES-BACK
test('browser reaches the restarted daemon at the same address and is still signed in', async () => {
  await using workspace = await Workspace.create({ mcpServers: { plain: plain() } });
  const page = await DashboardClient.signIn(workspace);
  await using events = await page.events();
  await expect.poll(() => events.of('snapshot').length).toBe(1);
  const kept = join(workspace.dataDir, 'dashboard.json');
  await expect.poll(() => readFileSync(kept, 'utf8')).toContain('hash');
  expect(statSync(kept).mode & 0o077).toBe(0);
  expect(readFileSync(kept, 'utf8')).not.toContain(page.cookie.split('=')[1]);
  killIfAlive(workspace.daemonPid());
  await expect.poll(() => workspace.daemonPid()).toBeUndefined();

  await workspace.connect();

  await expect.poll(async () => (await page.post('/api/status')).status).toBe(200);
  await using again = await page.events(events.lastId);
  await expect.poll(() => again.messages.map(({ type }) => type)[0]).toBe('snapshot');
  const [before, after] = [events.of('snapshot')[0], again.of('snapshot')[0]];
  expect(after?.epoch).not.toBe(before?.epoch);
});

// covers: UI-MASKED
describe('secrets of the configuration', () => {
  test('secrets of the configuration are in no answer and no message, whatever a server says', async () => {
    const secret = 'token-5f3a9c77e1';
    await using workspace = await Workspace.create({
      exposure: 'proxy',
      mcpServers: { plain: fixtureServer('plain-server.mjs', { API_TOKEN: secret }) },
    });
    const page = await DashboardClient.signIn(workspace);
    await using events = await page.events();
    const agent = await workspace.connect();
    await agent.request('tools/list');

    await agent.call('plain__echo', { text: `the key is ${secret}` });
    await expect.poll(() => events.of('call').length).toBeGreaterThan(0);

    const { rows } = await page.ask('activity', {});
    const shown = await Promise.all(rows.map(({ id }) => page.ask('activity-show', { id })));
    expect(JSON.stringify(shown)).toContain('the key is ***');
    expect(JSON.stringify([rows, shown, events.messages])).not.toContain(secret);
  });
});

/** TCP addresses that a process listens on, according to the kernel. */
function listeners(pid: number | undefined): readonly string[] {
  return ['tcp', 'tcp6'].flatMap((table) => {
    const own = ownSockets(pid);
    const [, ...rows] = readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n');
    return rows.flatMap((row) => {
      const cells = row.trim().split(/\s+/);
      const [, local = '', , state] = cells;
      return state === LISTEN && own.has(cells[9] ?? '') ? [addressOf(local)] : [];
    });
  });
}

const LISTEN = '0A';

function ownSockets(pid: number | undefined): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  return new Set(
    readdirSync(folder).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, name)))?.[1] ?? [];
      } catch {
        return []; // Closed during the scan.
      }
    }),
  );
}

/** `0100007F:1F90` is 127.0.0.1:8080. */
function addressOf(local: string): string {
  const [host = '', port = ''] = local.split(':');
  const bytes = host.match(/../g) ?? [];
  const shown =
    bytes.length === 4
      ? bytes
          .reverse()
          .map((byte) => parseInt(byte, 16))
          .join('.')
      : host;
  return `${shown}:${parseInt(port, 16)}`;
}
