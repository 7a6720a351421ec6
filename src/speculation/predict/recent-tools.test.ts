import { expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { RecentTools } from './recent-tools.js';

const call = (tool: string, turn: number): SessionCall => {
  return { tool: tool as ToolId, args: {}, ok: true, turn, at: turn };
};

test('RecentTools foresees the repetition of a tool that no session has called before', () => {
  const recent = new RecentTools();
  for (let times = 0; times < 5; times++) recent.add([call('a:read', 0)], 'a:read' as ToolId);

  const chances = recent.chances([call('b:list', 0), call('b:fetch', 1)]);

  expect(chances.get('b:fetch' as ToolId)).toBeGreaterThan(0.5);
  expect(chances.has('b:list' as ToolId)).toBe(false);
});

test('RecentTools says nothing before it has learned', () => {
  expect(new RecentTools().chances([call('a:read', 0)]).size).toBe(0);
});
