import { describe, expect, test } from 'vitest';

import { hashDefinition, serverName, type ToolDefinition } from '../core/index.js';
import type { ParsedTool } from './parse-tools.js';
import { type Reconciled, type ReconcileOptions, reconcileTools } from './reconcile-tools.js';

const options: ReconcileOptions = {
  server: serverName('s'),
  configHash: 'entry',
  onChange: 'block',
  newTools: 'allow',
  pins: undefined,
  now: new Date(2),
};

function listed(description: string, fault?: string): ParsedTool {
  const definition = { name: 't', description, inputSchema: { type: 'object' } };
  return parsed(definition, fault);
}

function parsed(definition: ToolDefinition, fault: string | undefined): ParsedTool {
  const hash = hashDefinition(definition);
  return { definition, listed: definition, hash, fault, hidden: [] };
}

function known(description = 'old'): Reconciled {
  return reconcileTools([], [listed(description)], { ...options, now: new Date(1) });
}

/** Lists again, with everything remembered so far. */
function next(
  { tools, pins }: Reconciled,
  list: readonly ParsedTool[],
  change: Partial<ReconcileOptions> = {},
): Reconciled {
  return reconcileTools(tools, list, { ...options, pins, ...change });
}

describe('a tool', () => {
  test('a new tool is active and recorded as added', () => {
    const { tools, changes } = reconcileTools([], [listed('old')], options);

    expect(tools).toMatchObject([{ id: 's:t', status: 'active', firstSeen: new Date(2) }]);
    expect(changes).toMatchObject([{ tool: 's:t', kind: 'added', diff: [] }]);
  });

  test('an unchanged tool only gets a new last-seen time', () => {
    const { tools, changes } = next(known(), [listed('old')]);

    expect(tools).toMatchObject([
      { status: 'active', firstSeen: new Date(1), lastSeen: new Date(2) },
    ]);
    expect(changes).toEqual([]);
  });

  test('a changed tool is blocked, says how to approve it, and shows what changed', () => {
    const { tools, changes } = next(known(), [listed('new\u202E\u200B')]);

    expect(tools).toMatchObject([
      { status: 'blocked', reason: expect.stringContaining('pml tools approve s:t') as string },
    ]);
    expect(changes).toMatchObject([
      { kind: 'changed', diff: ['- description: "old"', '+ description: "new\\u{202e}\\u{200b}"'] },
    ]);
  });

  test('a blocked tool stays blocked when it is listed again and when it changes again', () => {
    const blocked = next(known(), [listed('new')]);

    expect(next(blocked, [listed('new')]).tools).toMatchObject([{ status: 'blocked' }]);
    expect(next(blocked, [listed('newer')]).tools).toMatchObject([{ status: 'blocked' }]);
  });

  test.each([
    ['changes are only to be recorded', { onChange: 'warn' as const }],
    ['the user changed the entry of its server', { configHash: 'other' }],
  ])('a changed tool stays active when %s', (_when, change) => {
    const { tools, changes } = next(known(), [listed('new')], change);

    expect(tools).toMatchObject([{ status: 'active' }]);
    expect(changes).toMatchObject([{ kind: 'changed' }]);
  });

  test('a blocked tool stays blocked after it left the list and came back', () => {
    const blocked = next(known(), [listed('new')]);
    const gone = next(blocked, []);

    const { tools } = next(gone, [listed('new')]);

    expect(tools).toMatchObject([{ status: 'blocked' }]);
  });

  test('a broken tool is quarantined, even if it was active before', () => {
    const { tools } = next(known(), [listed('old', 'no schema')]);

    expect(tools).toMatchObject([{ status: 'quarantined', reason: 'no schema' }]);
  });

  test('a tool that is no longer listed is gone and recorded as removed once', () => {
    const first = next(known(), []);
    const second = next(first, []);

    expect(first.tools).toMatchObject([{ status: 'gone' }]);
    expect(first.changes).toMatchObject([{ kind: 'removed' }]);
    expect(second.changes).toEqual([]);
  });

  // covers: SAFE-PINNED
  test('a blocked tool that returns to an approved definition becomes active by itself', () => {
    const blocked = next(known(), [listed('new')]);

    const { tools, pins } = next(blocked, [listed('old')]);

    expect(tools).toMatchObject([{ status: 'active' }]);
    expect(next({ tools, pins, changes: [] }, [listed('new')]).tools).toMatchObject([
      { status: 'blocked' },
    ]);
  });

  test('a changed tool is blocked without a store too, and is reported once', () => {
    const { pins } = known();
    const first = next({ tools: [], pins, changes: [] }, [listed('new')]);
    const second = next({ tools: [], pins: first.pins, changes: [] }, [listed('new')]);

    expect(first.tools).toMatchObject([{ status: 'blocked' }]);
    expect(first.changes).toMatchObject([
      { kind: 'changed', diff: ['+ description: "new"', expect.any(String)] },
    ]);
    expect(second.tools).toMatchObject([{ status: 'blocked' }]);
    expect(second.changes).toEqual([]);
  });

  test('a change that was only recorded becomes the base for later comparisons', () => {
    const warned = next(known(), [listed('new')], { onChange: 'warn' });

    expect(next(warned, [listed('new')]).tools).toMatchObject([{ status: 'active' }]);
    expect(next(warned, [listed('old')]).tools).toMatchObject([{ status: 'blocked' }]);
  });
});

describe('a tool that appears on a server whose tools are pinned', () => {
  const named = (name: string): ParsedTool => {
    const definition = { name, inputSchema: { type: 'object' } };
    return parsed(definition, undefined);
  };
  const both = [named('t'), named('fresh')];
  const first = reconcileTools([], [named('t')], options);

  test('a tool that appears later is blocked until an approval if the user wants to be asked', () => {
    const asked = next(first, both, { newTools: 'ask', onChange: 'warn' });
    const again = next(asked, both, { newTools: 'ask', onChange: 'warn' });

    for (const { tools } of [asked, again]) {
      expect(tools).toMatchObject([
        { id: 's:t', status: 'active' },
        { id: 's:fresh', status: 'blocked', reason: expect.stringContaining('is new') as string },
      ]);
    }
    expect(asked.changes).toMatchObject([{ tool: 's:fresh', kind: 'added' }]);
    expect(again.changes).toEqual([]);
  });

  test('a tool that appears later is active by default, and pinned from then on', () => {
    const { tools, pins } = next(first, both);

    expect(tools).toMatchObject([{ status: 'active' }, { status: 'active' }]);
    expect([...pins.tools.keys()]).toEqual(['t', 'fresh']);
  });

  test('a new tool is active on the first list and after the user changed the server entry', () => {
    const fresh = reconcileTools([], both, { ...options, newTools: 'ask' });
    const moved = next(first, both, { newTools: 'ask', configHash: 'other' });

    for (const { tools } of [fresh, moved]) {
      expect(tools.map(({ status }) => status)).toEqual(['active', 'active']);
    }
  });
});
