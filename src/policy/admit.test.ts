import { describe, expect, test } from 'vitest';

import type { ToolId } from '../core/index.js';
import { admit } from './admit.js';
import type { ToolPolicy } from './tool-policy.js';

const tool = 'crm:x' as ToolId;
const READ: ToolPolicy = { risk: 'read', repeatable: true };
const WRITE: ToolPolicy = { risk: 'write', repeatable: false };
const RISKY: ToolPolicy = { ...WRITE, risk: 'risky', ask: { always: false, why: 'its name' } };
const ASKED: ToolPolicy = { ...WRITE, ask: { always: true, why: 'a rule' } };
const PERSON: ToolPolicy = { ...WRITE, ask: { always: true, why: 'a rule', by: 'person' } };

describe('a call', () => {
  test('a call of a tool without rules and without risks is admitted', () => {
    expect(admit(tool, READ)).toEqual({ repeatable: true, isReading: true });
    expect(admit(tool, WRITE)).toEqual({ repeatable: false, isReading: false });
  });

  test('a call of a denied tool is refused, whatever else holds', () => {
    const policy = { ...PERSON, denied: 'permissions.deny names it' };

    expect(admit(tool, policy, { approve: 'never' })).toEqual({
      repeatable: false,
      isReading: false,
      denied: 'crm:x is denied: permissions.deny names it',
    });
  });

  test('a read-only call may use only tools that read', () => {
    expect(admit(tool, READ, { isReadOnly: true }).denied).toBeUndefined();
    expect(admit(tool, WRITE, { isReadOnly: true }).denied).toContain('permissions.read');
  });

  test.each([
    ['risky', 'risky', RISKY, 'agent'],
    ['risky', 'per_layer', RISKY, 'agent'],
    ['risky', 'never', RISKY, undefined],
    ['asked', 'never', ASKED, 'agent'],
    ['asked of a person', 'never', PERSON, 'person'],
  ] as const)('a call of a %s tool with approve %s asks %s', (_, approve, policy, whom) => {
    expect(admit(tool, policy, { approve }).ask?.whom).toBe(whom);
  });

  test('a call of a listed risky tool is left to the client, unless a rule names the tool', () => {
    expect(admit(tool, RISKY, { isListed: true }).ask).toBeUndefined();
    expect(admit(tool, ASKED, { isListed: true }).ask).toBeDefined();
    expect(admit(tool, PERSON, { isListed: true }).ask?.whom).toBe('person');
  });
});
