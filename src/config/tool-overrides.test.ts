import { expect, test } from 'vitest';

import { maskSecrets, type PmlError, type ToolId } from '../core/index.js';
import { diffConfigs } from './diff.js';
import { parseConfig } from './load.js';
import { secretsOf } from './secrets.js';

const ID = 'git:create' as ToolId;
const ENV = { GIT_TOKEN: 'canary-123456' };

function load(override: object, env: Record<string, string> = ENV) {
  const mcpServers = { git: { command: 'git-server' } };
  const text = JSON.stringify({ mcpServers, tools: { override } });
  return parseConfig(text, { path: '/p/pml.json', env });
}

function problemsOf(override: object): string {
  try {
    load(override);
    return '';
  } catch (error) {
    return (error as PmlError).message;
  }
}

test('a fixed value takes its variables from the environment; the file keeps the reference', () => {
  const loaded = load({ [ID]: { fix: { auth: { token: '${GIT_TOKEN}' }, depth: 1 } } });

  expect(loaded.overrides.get(ID)).toMatchObject({
    fix: { auth: { token: 'canary-123456' }, depth: 1 },
    hide: [],
  });
  expect(JSON.stringify(loaded.file)).not.toContain('canary');
  expect(maskSecrets('got canary-123456', secretsOf(loaded))).toBe('got ***');
});

test('a missing variable makes only its tool unusable', () => {
  const loaded = load({ [ID]: { fix: { token: '${GIT_TOKEN}' } }, 'git:log': {} }, {});

  expect(loaded.overrides.get(ID)?.fault).toContain('GIT_TOKEN is not set');
  expect(loaded.overrides.get('git:log' as ToolId)?.fault).toBeUndefined();
});

test.each([
  ['a glob', { 'git:*': {} }, 'tools.override.git:*: expected the exact id of a tool'],
  ['a name without server', { create: {} }, 'expected the exact id of a tool, server:tool'],
  ['a capability', { 'cap:greet': {} }, 'expected the exact id of a tool'],
  ['an unknown key', { [ID]: { descripton: 'x' } }, 'unknown key; did you mean "description"?'],
  ['an unknown hint', { [ID]: { annotations: { readOnly: true } } }, 'readOnlyHint'],
  ['a value of the wrong kind', { [ID]: { hide: 'a' } }, 'expected an array'],
  ['a parameter that is hidden and fixed', { [ID]: { hide: ['a'], fix: { a: 1 } } }, 'keep one'],
])('the configuration refuses %s as override and names the place', (_, override, message) => {
  const text = problemsOf(override);

  expect(text).toContain(message);
  expect(text).toMatch(/\/p\/pml\.json:\d+:\d+: tools\.override\./);
});

test('the log of a changed configuration shows no value of an override', () => {
  const before = load({ [ID]: { fix: { token: 'in-clear-one' } } });
  const after = load({ [ID]: { fix: { token: 'in-clear-two' } } });

  expect(diffConfigs(before, after)).toEqual([`tools.override.${ID}.fix.token changed`]);
});

test('an override is part of what the user trusts', () => {
  expect(load({ [ID]: { annotations: { readOnlyHint: true } } }).trustHash).not.toBe(
    load({}).trustHash,
  );
});
