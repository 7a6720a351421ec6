import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { offlineTools } from '../../../test/helpers/offline-tools.js';
import { parseToolId, serverName, type ToolId } from '../../core/index.js';
import { toolFilter } from '../search-tools.js';
import type { Profile } from '../settings.js';

const WORK: Profile = {
  name: 'work',
  servers: ['git*'],
  permissions: { ask: ['git:push'], deny: ['git:drop'], readOnly: false },
  exposure: { mode: 'proxy', pin: [], capabilities: [], skills: false },
};
const READS: Profile = {
  name: 'reads',
  servers: ['*'],
  permissions: { ask: [], deny: [], readOnly: true },
};

async function directory(profile?: string) {
  const permissions = { allow: ['git:*', 'files:*'], ask: ['git:tag'], deny: ['git:wipe'] };
  const profiles = new Map([WORK, READS].map((one) => [one.name, one]));
  const { tools, list, listRaw } = await offlineTools(['git', 'files'], {
    changes: { permissions, profiles, ...(profile !== undefined && { profile }) },
  });
  list('git', ['push', 'tag', 'drop', 'wipe', 'log']);
  listRaw('files', [
    { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'write', inputSchema: { type: 'object' } },
  ]);
  return tools;
}

const id = (text: string) => parseToolId(text).id;

test('a profile has only its servers, and refuses every tool of the others', async () => {
  const whole = await directory();
  const work = whole.within('work');

  expect(work.view.all.map(({ tool }) => tool.id)).toEqual(['git:push', 'git:tag', 'git:log']);
  expect(work.admit(id('files:read'), {}).denied).toContain(
    'profile work does not have its server',
  );
  expect(() => work.assertTool(id('files:read'))).toThrow(
    /denied: profile work does not have its server/,
  );
  const request = {
    id: id('files:read'),
    server: serverName('files'),
    params: { name: 'read', arguments: {} },
  };
  const called = work.calls.complete(request, fakeClient('a').context);
  await expect(called).rejects.toMatchObject({ code: 'TOOL_DENIED' });
});

test('rules of a profile come on top: what the configuration asks and denies stays so', async () => {
  const whole = await directory();
  const work = whole.within('work');
  const rule = (text: string) => {
    const { ask, denied } = work.admit(id(text), {});
    return denied === undefined ? (ask ? 'ask' : 'allow') : 'deny';
  };

  expect(['log', 'push', 'tag', 'drop', 'wipe'].map((name) => rule(`git:${name}`))).toEqual([
    'allow',
    'ask',
    'ask',
    'deny',
    'deny',
  ]);
  expect(whole.admit(id('git:push'), {}).ask).toBeUndefined();
});

test('a profile that only reads lists and allows no other tool', async () => {
  const reads = (await directory()).within('reads');

  expect(reads.view.all.map(({ tool }) => tool.id)).toEqual(['files:read']);
  expect(reads.admit(id('files:write'), {}).denied).toContain('profile reads only reads');
});

test('a search for clients of a profile finds nothing outside of it', async () => {
  const work = (await directory()).within('work');
  const filter = toolFilter(work, {});
  const found = ['git:log', 'git:drop', 'files:read'].filter((one) => {
    const tool = work.index.get(one as ToolId);
    return tool !== undefined && filter(tool);
  });

  expect(found).toEqual(['git:log']);
  expect(() => toolFilter(work, { server: 'files' })).toThrow(/No server fits "files".*git/);
});

test('the list of a profile is the same bytes each time, in its own mode', async () => {
  const whole = await directory();
  const before = JSON.stringify(whole.view.toolList);
  const first = JSON.stringify(whole.within('work').view.toolList);

  whole.configure({ ...whole.settings });

  expect(JSON.stringify(whole.within('work').view.toolList)).toBe(first);
  expect(JSON.parse(first)).toMatchObject([{ name: 'log' }, { name: 'push' }, { name: 'tag' }]);
  expect(JSON.stringify(whole.view.toolList)).toBe(before);
});

test('a profile that is gone leaves its clients nothing', async () => {
  const gone = (await directory()).within('gone');

  expect(gone.view.all).toEqual([]);
  expect(gone.admit(id('git:log'), {}).denied).toContain('profile gone does not have its server');
});

test('clients that name no profile get that of the configuration', async () => {
  const whole = await directory('work');

  expect(whole.within(undefined)).toBe(whole.within('work'));
  expect(whole.within(undefined).view.servers).toEqual(['git']);
});

test('a changed list of a server reaches a profile', async () => {
  const whole = await directory();
  const work = whole.within('work');
  expect(work.view.all).toHaveLength(3);

  whole.catalog.block(id('git:log'));

  expect(work.view.all.map(({ tool }) => tool.id)).toEqual(['git:push', 'git:tag']);
});
