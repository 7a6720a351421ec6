import { expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import { invocationsOf } from './invocations-of.js';

const read = 'files:read' as ToolId;
const cap = 'cap:sum' as ToolId;

test('parallel, repeated and nested calls keep their times and who made them', () => {
  const calls = [
    { tool: read, ok: true, ms: 30, startMs: 105 },
    { tool: 'code:filter' as ToolId, ok: true, ms: 1 },
    { tool: cap, ok: true, ms: 50, startMs: 110 },
    { tool: read, ok: true, ms: 20, startMs: 115, parent: 2 },
    { tool: read, ok: false, ms: 20, startMs: 115, parent: 2 },
  ];

  expect(invocationsOf(calls)).toEqual([
    { tool: read, ok: true, startMs: 0, ms: 30 },
    { tool: cap, ok: true, startMs: 5, ms: 50 },
    { tool: read, ok: true, startMs: 10, ms: 20, parent: 1 },
    { tool: read, ok: false, startMs: 10, ms: 20, parent: 1 },
  ]);
});
