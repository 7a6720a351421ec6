import { expect, test } from 'vitest';

import { toolId, serverName } from '../../core/index.js';
import { Recurrence } from './recurrence.js';

const tool = (name: string) => toolId(serverName('s'), name);

test('the share is 0 until a tool has served two requests', () => {
  const recurrence = new Recurrence();
  expect(recurrence.share).toBe(0);

  recurrence.add(tool('a'));
  recurrence.add(tool('b'));
  expect(recurrence.share).toBe(0);

  recurrence.add(tool('a'));
  expect(recurrence.share).toBeCloseTo(2 / 3);
});

test('forgotten requests no longer count', () => {
  const recurrence = new Recurrence();
  for (const name of ['a', 'a', 'b', 'b']) recurrence.add(tool(name));
  expect(recurrence.share).toBe(1);

  recurrence.remove(tool('a'));
  expect(recurrence.share).toBeCloseTo(2 / 3);

  for (const name of ['a', 'a', 'b', 'b', 'c']) recurrence.remove(tool(name));
  expect(recurrence.share).toBe(0);
});
