import { expect, test } from 'vitest';

import { fakeClient } from '../../../test/helpers/fake-client.js';
import { offlineTools } from '../../../test/helpers/offline-tools.js';
import { type JsonObject, serverName, toolId, type ToolOverride } from '../../core/index.js';
import { withFixed, withoutFixed } from './fixed-arguments.js';

const GIT = serverName('git');
const ID = toolId(GIT, 'create');
const OVERRIDE: ToolOverride = {
  hide: ['draft'],
  fix: { repo: 'me/work', token: 'canary-123456' },
  variables: { TOKEN: 'canary-123456' },
};

async function directory(override: ToolOverride) {
  const { tools, listRaw } = await offlineTools(['git']);
  const properties = { repo: {}, token: {}, draft: {}, title: {} };
  listRaw('git', [{ name: 'create', inputSchema: { type: 'object', properties } }]);
  tools.catalog.setOverrides(new Map([[ID, override]]));
  return tools;
}

test.each([
  ['fixed', { repo: 'other' }],
  ['hidden', { draft: true }],
])('a call that has a %s parameter is refused before anything is sent', async (_, args) => {
  const tools = await directory(OVERRIDE);
  const request = { id: ID, server: GIT, params: { name: 'create', arguments: args } };
  const error = { code: 'ARGUMENTS_INVALID', message: expect.stringContaining('tools.override') };

  await expect(tools.calls.pass(request, fakeClient('a').context)).rejects.toMatchObject(error);
  await expect(tools.calls.complete(request, fakeClient('a').context)).rejects.toMatchObject(error);
});

test('a tool whose override misses a variable is refused with the reason', async () => {
  const tools = await directory({ ...OVERRIDE, fault: 'TOKEN is not set' });

  expect(() => tools.assertTool(ID)).toThrow(/TOKEN is not set/);
});

test('fixed values are put into the call, beside what the agent gave', () => {
  const params = { name: 'create', arguments: { title: 't' } };

  expect(withFixed(OVERRIDE, params)).toEqual({
    name: 'create',
    arguments: { title: 't', repo: 'me/work', token: 'canary-123456' },
  });
  expect(withFixed({ ...OVERRIDE, fix: {} }, params)).toBe(params);
});

test('a result that repeats a value of the environment comes back without it', () => {
  const content: JsonObject[] = [{ type: 'text', text: 'used canary-123456 for me/work' }];
  const shown = withoutFixed(OVERRIDE, { content, structuredContent: { by: 'canary-123456' } });

  expect(shown).toEqual({
    content: [{ type: 'text', text: 'used *** for me/work' }],
    structuredContent: { by: '***' },
  });
});

test('a result keeps a path of the environment that a fixed value has: it is no secret', () => {
  const override = { ...OVERRIDE, variables: { HOME: '/home/anna' } };
  const result = { content: [{ type: 'text', text: 'in /home/anna/docs' }] };

  expect(withoutFixed(override, result)).toEqual(result);
});

test.each([
  ['readOnlyHint: true makes a tool read', 'delete', { readOnlyHint: true }, 'read'],
  ['destructiveHint: true makes a tool risky', 'get', { destructiveHint: true }, 'risky'],
  ['destructiveHint: false clears a name', 'delete', { destructiveHint: false }, 'write'],
  ['readOnlyHint: false takes back what the server says', 'get', { readOnlyHint: false }, 'write'],
  ['a title leaves a tool as its server says', 'get', { title: 'Get' }, 'read'],
])('the word of the user counts for policy: %s', async (_, name, annotations, risk) => {
  const { tools, listRaw } = await offlineTools(['git']);
  const inputSchema = { type: 'object' };
  listRaw('git', [{ name, inputSchema, annotations: { readOnlyHint: name === 'get' } }]);
  const id = toolId(GIT, name);

  tools.catalog.setOverrides(new Map([[id, { ...OVERRIDE, annotations }]]));

  expect(tools.policyOf(id).risk).toBe(risk);
});

test('rules of permissions win over annotations of an override', async () => {
  const permissions = { allow: [], ask: ['git:get'], deny: ['git:delete'] };
  const { tools, list } = await offlineTools(['git'], { changes: { permissions } });
  list('git', ['get', 'delete']);
  const annotations = { readOnlyHint: true };
  const ids = ['get', 'delete'].map((name) => toolId(GIT, name));

  tools.catalog.setOverrides(new Map(ids.map((id) => [id, { ...OVERRIDE, annotations }])));

  expect(tools.admit(toolId(GIT, 'get'), {}).ask).toBeDefined();
  expect(tools.admit(toolId(GIT, 'delete'), {}).denied).toBeDefined();
});
