import { describe, expect, test } from 'vitest';

import { type CatalogTool, serverName } from '../core/index.js';
import type { ParsedTool } from './parse-tools.js';
import { type ReconcileOptions, reconcileTools } from './reconcile-tools.js';

const options: ReconcileOptions = {
  server: serverName('s'),
  onChange: 'block',
  isNewServer: false,
  now: new Date(2),
};

function listed(description: string, fault?: string): ParsedTool {
  return { definition: { name: 't', description, inputSchema: { type: 'object' } }, fault };
}

function known(description = 'old'): readonly CatalogTool[] {
  return reconcileTools([], [listed(description)], { ...options, now: new Date(1) }).tools;
}

describe('a tool', () => {
  test('that is new is active and recorded as added', () => {
    const { tools, changes } = reconcileTools([], [listed('old')], options);

    expect(tools).toMatchObject([{ id: 's:t', status: 'active', firstSeen: new Date(2) }]);
    expect(changes).toMatchObject([{ tool: 's:t', kind: 'added', diff: [] }]);
  });

  test('that stays the same is only seen again', () => {
    const { tools, changes } = reconcileTools(known(), [listed('old')], options);

    expect(tools).toMatchObject([
      { status: 'active', firstSeen: new Date(1), lastSeen: new Date(2) },
    ]);
    expect(changes).toEqual([]);
  });

  test('that changed is blocked, says how to approve it, and shows what changed', () => {
    const { tools, changes } = reconcileTools(known(), [listed('new\u202E\u200B')], options);

    expect(tools).toMatchObject([
      { status: 'blocked', reason: expect.stringContaining('pml tools approve s:t') as string },
    ]);
    expect(changes).toMatchObject([
      { kind: 'changed', diff: ['- description: "old"', '+ description: "new\\u{202e}\\u{200b}"'] },
    ]);
  });

  test('that is blocked stays so while it is listed again, and when it changes once more', () => {
    const blocked = reconcileTools(known(), [listed('new')], options).tools;

    expect(reconcileTools(blocked, [listed('new')], options).tools).toMatchObject([
      { status: 'blocked' },
    ]);
    expect(reconcileTools(blocked, [listed('newer')], options).tools).toMatchObject([
      { status: 'blocked' },
    ]);
  });

  test.each([
    ['changes are only to be recorded', { onChange: 'warn' as const }],
    ['the user changed the entry of its server', { isNewServer: true }],
  ])('that changed stays active when %s', (_when, change) => {
    const { tools, changes } = reconcileTools(known(), [listed('new')], { ...options, ...change });

    expect(tools).toMatchObject([{ status: 'active' }]);
    expect(changes).toMatchObject([{ kind: 'changed' }]);
  });

  test('that is blocked cannot slip through by leaving the list and coming back', () => {
    const blocked = reconcileTools(known(), [listed('new')], options).tools;
    const gone = reconcileTools(blocked, [], options).tools;

    const { tools } = reconcileTools(gone, [listed('new')], options);

    expect(tools).toMatchObject([{ status: 'blocked' }]);
  });

  test('that is broken is set aside, whatever it was', () => {
    const { tools } = reconcileTools(known(), [listed('old', 'no schema')], options);

    expect(tools).toMatchObject([{ status: 'quarantined', reason: 'no schema' }]);
  });

  test('that is listed no more is gone, recorded once', () => {
    const first = reconcileTools(known(), [], options);
    const second = reconcileTools(first.tools, [], options);

    expect(first.tools).toMatchObject([{ status: 'gone' }]);
    expect(first.changes).toMatchObject([{ kind: 'removed' }]);
    expect(second.changes).toEqual([]);
  });
});
