import { expect, test } from 'vitest';

import type { ToolId } from '../core/index.js';
import { joinPolicies } from './join-policies.js';
import type { ToolPolicy } from './tool-policy.js';

const POLICIES: Readonly<Record<string, ToolPolicy>> = {
  'a:look': { risk: 'read', repeatable: true },
  'a:put': { risk: 'write', repeatable: true },
  'a:append': { risk: 'write', repeatable: false },
  'a:delete': {
    risk: 'risky',
    repeatable: false,
    ask: { always: false, why: 'its name says delete' },
  },
  'a:send': {
    risk: 'write',
    repeatable: false,
    ask: { always: true, why: 'permissions.ask names it' },
  },
  'a:wire': {
    risk: 'write',
    repeatable: false,
    ask: { always: true, why: 'permissions.ask wants a person to approve it', by: 'person' },
  },
  'a:pay': {
    risk: 'write',
    repeatable: false,
    ask: { always: true, why: 'permissions.ask wants a person', by: 'person' },
  },
  'a:never': { risk: 'write', repeatable: false, denied: 'permissions.deny names it' },
};

const join = (...tools: readonly string[]) =>
  joinPolicies(tools as ToolId[], (tool) => POLICIES[tool]!);

test('code that calls nothing, or only reads, is read-only and repeatable', () => {
  expect(join()).toEqual({ risk: 'read', repeatable: true });
  expect(join('a:look')).toEqual({ risk: 'read', repeatable: true });
});

test('code is as risky as its riskiest tool, and repeatable only if all its tools are', () => {
  expect(join('a:look', 'a:put')).toEqual({ risk: 'write', repeatable: true });
  expect(join('a:put', 'a:append')).toEqual({ risk: 'write', repeatable: false });
  expect(join('a:delete', 'a:look').risk).toBe('risky');
});

test('code asks if one of its tools asks, and the rule of the user comes first', () => {
  expect(join('a:look', 'a:delete').ask).toEqual({
    always: false,
    why: 'it can call a:delete: its name says delete',
  });
  expect(join('a:delete', 'a:send').ask).toEqual({
    always: true,
    why: 'it can call a:send: permissions.ask names it',
  });
});

test('code wants a person if one of its tools does', () => {
  expect(join('a:send', 'a:pay', 'a:delete').ask).toMatchObject({ always: true, by: 'person' });
});

test('code that can call a tool only a person may approve needs a person', () => {
  expect(join('a:send', 'a:wire').ask).toMatchObject({ by: 'person' });
});

test('code that can call a denied tool is denied', () => {
  expect(join('a:look', 'a:never').denied).toBe('it can call a:never: permissions.deny names it');
});
