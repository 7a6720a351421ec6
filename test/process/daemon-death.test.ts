import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { chaos, fixtureServer, killIfAlive, Workspace } from '../helpers/workspace.js';

let workspace: Workspace;
let ledger: string;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  ledger = join(workspace.path, 'ledger');
  workspace.configure({
    exposure: 'proxy',
    mcpServers: {
      good: fixtureServer('plain-server.mjs', { LEDGER: ledger }),
      deaf: chaos('', { STUBBORN: 'eof,term' }),
      parent: chaos('', { STUBBORN: 'child' }),
      never: chaos('no-init'),
    },
  });
});

afterAll(async () => {
  await workspace[Symbol.asyncDispose]();
});

// covers: DAEMON-DIES
test('a call in flight gets an error when the daemon dies, and the session goes on', async () => {
  await using client = await workspace.connect({
    capabilities: { sampling: {} },
    answer: () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }),
  });
  await client.text('good__echo', { text: 'warm' });
  const call = client.call('good__slow', { ms: 600_000 });
  await expect.poll(async () => (await workspace.server('good')).runningCalls).toBe(1);

  killIfAlive(workspace.daemonPid());

  const { error } = await call;
  expect(error).toMatchObject({ code: -32010, data: { retryable: false } });
  expect(error?.message).toContain('may or may not have been carried out');
  // The new daemon was never greeted by this client and still knows what it can do.
  expect(await client.text('good__ask', { method: 'sampling/createMessage' })).toContain('hi');
  expect(client.asked.map(({ method }) => method)).toEqual(['sampling/createMessage']);
});

test('a daemon that dies right after the greeting loses nothing of the session', async () => {
  await using client = workspace.spawn({
    capabilities: { elicitation: {} },
    answer: () => ({ action: 'accept', content: { name: 'Ada' } }),
  });
  await client.initialize();

  killIfAlive(workspace.daemonPid());
  await client.request('ping');

  expect(await client.text('good__ask', { method: 'elicitation/create' })).toContain('Ada');
});

test('a question that changes nothing is asked again and the client notices nothing', async () => {
  await using client = await workspace.connect();
  await client.text('good__echo', { text: 'warm' });
  const read = client.request('resources/read', { uri: 'plain://late' });
  // Once its server has the request, the daemon has reported that it read it, or is about to.
  await expect.poll(() => existsSync(ledger)).toBe(true);
  await workspace.status();

  killIfAlive(workspace.daemonPid());
  const list = client.request('tools/list');

  expect((await read).result?.['contents']).toEqual([{ uri: 'plain://late', text: 'read' }]);
  const tools = (await list).result?.['tools'] as { name: string }[];
  expect(tools.map(({ name }) => name)).toContain('good__echo');
});

test('a client that sent much while no daemon was there is served in order', async () => {
  await using client = await workspace.connect();
  await client.text('good__echo', { text: 'warm' });

  killIfAlive(workspace.daemonPid());
  const pings = Array.from({ length: 200 }, () => client.request('ping'));

  const answers = await Promise.all(pings);
  expect(answers.every(({ error }) => error === undefined)).toBe(true);
  expect(await client.text('good__echo', { text: 'on' })).toBe('on');
});

// covers: DAEMON-CLEAN
test('what a killed daemon left behind is ended by the next one', async () => {
  await using client = await workspace.connect();
  await client.text('deaf__act', { mode: 'ok' });
  await client.text('parent__act', { mode: 'ok' });
  const before = workspace.processes('server');
  expect(before.filter(({ command }) => command.includes('left-behind'))).toHaveLength(1);

  killIfAlive(workspace.daemonPid());
  await client.request('ping');

  const old = new Set(before.map(({ pid }) => pid));
  await expect
    .poll(() => workspace.processes('server').filter(({ pid }) => old.has(pid)))
    .toEqual([]);
  expect(workspace.log).toContain('left behind');
});

test('a client that asks while the daemon is ending gets the next one', async () => {
  await using client = await workspace.connect();
  await client.text('deaf__act', { mode: 'ok' });
  const old = workspace.daemonPid();

  const stopping = workspace.run('stop');
  await expect.poll(() => workspace.log).toContain('stopping reason');
  // Its server takes its time to end, and its data directory is not free before.
  await client.request('ping');

  expect(await client.text('good__echo', { text: 'next' })).toBe('next');
  expect((await stopping).code).toBe(0);
  await expect.poll(() => workspace.processes('daemon')).toHaveLength(1);
  expect(workspace.daemonPid()).not.toBe(old);
});

test('a daemon that is stopped stays away until its client needs it', async () => {
  await using client = await workspace.connect();
  await client.text('good__echo', { text: 'warm' });

  const { stdout } = await workspace.run('stop');

  expect(stdout).toContain('Stopped');
  await expect.poll(() => workspace.processes().map(({ kind }) => kind)).toEqual(['relay']);
  expect(await client.text('good__echo', { text: 'back' })).toBe('back');
});
