import { expect, test } from 'vitest';

import { ActivityLog } from './activity-log.js';
import type { FinishedCall } from './finished-call.js';

const call = (tool: string, changes: Partial<FinishedCall> = {}): FinishedCall => ({
  at: 1_000_000,
  ms: 5,
  client: 'test',
  way: 'direct',
  tool,
  outcome: 'ok',
  request: { name: tool },
  response: { content: [] },
  ...changes,
});

test('activity log lists the newest calls first and finds each by its number', () => {
  const log = new ActivityLog();
  log.record(call('a:x'));
  log.record(call('a:y'));

  const [newest, oldest] = log.newest();

  expect([newest?.tool, newest?.number]).toEqual(['a:y', 2]);
  expect(oldest).toMatchObject({ requestBytes: 14, responseBytes: 14 });
  expect(log.find(1)?.request?.text).toBe('{"name":"a:x"}');
  expect(log.find(3)).toBeUndefined();
});

test('activity log beyond its limit evicts the oldest calls but still counts them', () => {
  const log = new ActivityLog({ mostCalls: 10 });
  for (let i = 1; i <= 100; i++) log.record(call(`a:${i}`));

  expect(log.newest().length).toBeLessThanOrEqual(11);
  expect(log.total).toBe(100);
  expect(log.find(100)?.tool).toBe('a:100');
  expect(log.find(1)).toBeUndefined();
});

test('activity log beyond its text limit drops the texts of the oldest calls first', () => {
  const log = new ActivityLog({ mostCharacters: 1_000, mostKeptCharacters: 3_000 });
  for (let i = 0; i < 10; i++) log.record(call('a:x', { request: { text: 'x'.repeat(900) } }));

  const kept = log.newest();

  expect(kept).toHaveLength(10);
  expect(kept.filter(({ request }) => request)).toHaveLength(3);
  expect(kept[0]?.request).toBeDefined();
  expect(kept.at(-1)?.requestBytes).toBeGreaterThan(900);
});

test('activity log notifies listeners of finished calls until they unsubscribe', async () => {
  const log = new ActivityLog();
  const heard: string[] = [];
  const stop = log.onCall(({ tool }) => heard.push(tool));
  for (let i = 0; i < 250; i++) log.record(call('a:x'));
  expect(heard).toEqual([]);

  await expect.poll(() => heard.length).toBe(250);
  stop();
  log.record(call('a:y'));
  log.newest();

  expect(heard).not.toContain('a:y');
});

test('activity log counts calls and failures per minute', () => {
  const log = new ActivityLog();
  const minute = 60_000;
  log.record(call('a:x', { at: 100 * minute }));
  log.record(call('a:x', { at: 101 * minute, outcome: 'failed' }));
  log.record(call('a:x', { at: 101 * minute }));

  const { calls, failures } = log.perMinute(103 * minute);

  expect(calls).toHaveLength(60);
  expect(calls.slice(-5)).toEqual([0, 1, 2, 0, 0]);
  expect(failures.slice(-5)).toEqual([0, 0, 1, 0, 0]);
  expect(log.perMinute(500 * minute).calls.every((count) => count === 0)).toBe(true);
});
