import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ToolAnnotations, ToolDefinition, ToolId } from '../core/index.js';
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
  test('a tool without annotations counts as writing, needs no approval and is not repeatable', () => {
    expect(policyOf('files:make_note')).toEqual({ risk: 'write', repeatable: false });
    expect(policyOf('files:get_note')).toEqual({ risk: 'write', repeatable: false });
  });

  test('a tool that is not in the catalog is classified by its name', () => {
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

  test.each(['delete_everything', 'bulk_delete', 'issue_delete', 'git_push'])(
    'readOnlyHint does not clear %s, whose name is dangerous',
    (name) => {
      expect(policyOf(`files:${name}`, { readOnlyHint: true })).toMatchObject({
        risk: 'risky',
        repeatable: false,
      });
    },
  );

  // covers: SAFE-READ-NAMES
  test.each(['write_file', 'execute_sql', 'run_command', 'get_or_create_user'])(
    'readOnlyHint does not make %s a tool that reads',
    (name) => {
      expect(policyOf(`files:${name}`, { readOnlyHint: true })).toEqual({
        risk: 'write',
        repeatable: false,
      });
    },
  );

  test.each(['get_deleted_items', 'list_merge_requests', 'get_update_history', 'whoami'])(
    'readOnlyHint makes %s a tool that reads',
    (name) => {
      expect(policyOf(`files:${name}`, { readOnlyHint: true })).toEqual({
        risk: 'read',
        repeatable: true,
      });
    },
  );
});

describe('rules of the user', () => {
  test('a deny rule wins over ask, and an ask rule over allow', () => {
    const all = { allow: ['*'], ask: ['*:b*'], deny: ['*:bad'] };

    expect(policyOf('x:bad', {}, all).denied).toBe('permissions.deny names it');
    expect(policyOf('x:big', {}, all).ask).toEqual({
      always: true,
      why: 'permissions.ask names it',
    });
    expect(policyOf('x:delete', {}, all)).toEqual({ risk: 'write', repeatable: false });
  });

  test('a tool that permissions.read names counts as reading, whatever its name and annotations', () => {
    const read = ['db:execute_*'];

    expect(policyOf('db:execute_sql', { destructiveHint: true }, { read })).toEqual({
      risk: 'read',
      repeatable: true,
    });
    expect(policyOf('db:execute_sql', {}, { read, ask: ['db:*'] }).ask?.always).toBe(true);
    expect(policyOf('db:execute_sql', {}, { read, deny: ['db:*'] }).denied).toBeDefined();
    expect(policyOf('db:delete', {}, { read }).risk).toBe('risky');
  });

  test('an ask rule that requires a person wins over one that does not', () => {
    const ask = ['crm:*', { tool: 'crm:delete_*', by: 'person' as const }];

    expect(policyOf('crm:delete_customer', {}, { ask }).ask).toEqual({
      always: true,
      why: 'permissions.ask wants a person to approve it',
      by: 'person',
    });
    expect(policyOf('crm:rename_customer', {}, { ask }).ask).not.toHaveProperty('by');
  });

  test('a tool that the user declares idempotent is repeatable', () => {
    expect(policyOf('x:put', {}, { idempotent: ['x:*'] }).repeatable).toBe(true);
  });

  test('user rules except allow never ask less than the annotations do', () => {
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
