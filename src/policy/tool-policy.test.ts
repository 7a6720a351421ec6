import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type ToolAnnotations, type ToolDefinition, type ToolId } from '../core/index.js';
import { createToolPolicy, type PolicyRules } from './tool-policy.js';

const NO_RULES = { allow: [], ask: [], deny: [] };

function policyOf(
  tool: string,
  annotations?: ToolAnnotations,
  rules: Partial<PolicyRules['permissions']> & { idempotent?: readonly string[] } = {},
) {
  const { idempotent = [], ...permissions } = rules;
  const decide = createToolPolicy({ permissions: { ...NO_RULES, ...permissions }, idempotent });
  const definition: ToolDefinition = {
    name: tool.slice(tool.indexOf(':') + 1),
    inputSchema: { type: 'object' },
    ...(annotations && { annotations }),
  };
  return decide(tool as ToolId, definition);
}

describe('without a rule of the user', () => {
  test('a tool that says nothing of itself writes, is not asked about and not repeated', () => {
    expect(policyOf('files:make_note')).toEqual({ risk: 'write', repeatable: false });
    expect(policyOf('files:get_note')).toEqual({ risk: 'write', repeatable: false });
  });

  test('a tool that is not in the catalog is judged by its name', () => {
    const decide = createToolPolicy({ permissions: NO_RULES, idempotent: [] });

    expect(decide('files:note' as ToolId, undefined).risk).toBe('write');
    expect(decide('files:delete_note' as ToolId, undefined).risk).toBe('risky');
  });

  test('a tool that only reads is repeatable', () => {
    expect(policyOf('files:read', { readOnlyHint: true })).toEqual({
      risk: 'read',
      repeatable: true,
    });
  });

  test('a tool is risky if its server calls it destructive or its name says so', () => {
    expect(policyOf('files:write', { destructiveHint: true })).toEqual({
      risk: 'risky',
      repeatable: false,
      ask: { always: false, why: 'its server calls it destructive' },
    });
    expect(policyOf('files:delete', { destructiveHint: false, idempotentHint: true })).toEqual({
      risk: 'risky',
      repeatable: true,
      ask: { always: false, why: 'its name says delete' },
    });
  });

  test('a promise to only read clears a name in which the danger stands later, not one that begins with it', () => {
    const readOnly = { readOnlyHint: true, destructiveHint: true };

    expect(policyOf('files:bulk_delete', readOnly).risk).toBe('read');
    expect(policyOf('files:delete_everything', readOnly)).toMatchObject({
      risk: 'risky',
      repeatable: false,
    });
  });
});

describe('rules of the user', () => {
  test('deny wins over ask, ask over allow', () => {
    const all = { allow: ['*'], ask: ['*:b*'], deny: ['*:bad'] };

    expect(policyOf('x:bad', {}, all).denied).toBe('permissions.deny names it');
    expect(policyOf('x:big', {}, all).ask).toEqual({
      always: true,
      why: 'permissions.ask names it',
    });
    expect(policyOf('x:delete', {}, all)).toEqual({ risk: 'write', repeatable: false });
  });

  test('a tool the user calls idempotent is repeatable', () => {
    expect(policyOf('x:put', {}, { idempotent: ['x:*'] }).repeatable).toBe(true);
  });

  test('never ask less than the annotations do, but for allow', () => {
    const annotations = fc.record(
      {
        readOnlyHint: fc.boolean(),
        destructiveHint: fc.boolean(),
        idempotentHint: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const name = fc.constantFrom('x:delete_a', 'x:get_a', 'x:make_a', 'x:bulk_delete');

    fc.assert(
      fc.property(name, annotations, (tool, hints) => {
        const alone = policyOf(tool, hints);
        const asked = policyOf(tool, hints, { ask: ['x:*'] });

        expect(asked.ask?.always).toBe(true);
        expect(asked.risk).toBe(alone.risk);
        expect(alone.risk === 'risky').toBe(alone.ask !== undefined);
        expect(policyOf(tool, hints, { allow: ['x:*'] }).ask).toBeUndefined();
      }),
    );
  });
});
