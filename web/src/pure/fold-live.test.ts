import { expect, test } from 'vitest';

import type { DashboardMessage, DashboardSnapshot } from '../../../src/control/contract/events.js';
import type { RunInfo } from '../../../src/control/contract/runs.js';
import type { DaemonStatus, ServerRow } from '../../../src/control/contract/status.js';
import { applyMessage, type LiveState } from './fold-live.js';

const run = (id: string, status: RunInfo['status'] = 'running'): RunInfo => ({
  run: id,
  status,
  startedAt: '2026-11-17T10:00:00.000Z',
  ms: 1,
  counts: {},
});

const server = (name: string, state: ServerRow['state']): ServerRow => ({
  name,
  kind: 'stdio',
  state,
  pids: [],
  runningCalls: 0,
  retryInMs: 0,
  tools: 1,
  listed: true,
});

const call = (id: string) => ({
  id,
  at: '2026-11-17T10:00:00.000Z',
  ms: 1,
  client: 'c',
  way: 'direct' as const,
  tool: 's:t',
  outcome: 'ok' as const,
  requestBytes: 1,
  responseBytes: 1,
});

const metrics = {
  at: '2026-11-17T10:00:00.000Z',
  rssBytes: 1,
  activeRuns: 0,
  callsPerMinute: [0],
  failuresPerMinute: [0],
};

const snapshot = (seq: number, rest: Partial<DashboardSnapshot> = {}): DashboardSnapshot => ({
  type: 'snapshot',
  seq,
  epoch: 'e1',
  at: '2026-11-17T10:00:00.000Z',
  // Of the status the fold reads the servers only.
  status: { servers: [server('notes', 'running')] } as unknown as DaemonStatus,
  clients: [],
  runs: [],
  questions: [],
  calls: [],
  metrics,
  ...rest,
});

function fold(...messages: readonly DashboardMessage[]): LiveState {
  let state: LiveState | undefined;
  for (const message of messages) state = applyMessage(state, message);
  if (!state) throw new Error('no snapshot was folded');
  return state;
}

test('an event before the first snapshot changes nothing', () => {
  expect(applyMessage(undefined, { type: 'run-changed', run: run('a'), seq: 1 })).toBeUndefined();
});

test('a run that changes is replaced in its place, and a new one comes first', () => {
  const state = fold(
    snapshot(1, { runs: [run('b'), run('a')] }),
    { type: 'run-changed', run: run('a', 'completed'), seq: 2 },
    { type: 'run-changed', run: run('c'), seq: 3 },
  );

  expect(state.runs.map(({ run: id, status }) => `${id} ${status}`)).toEqual([
    'c running',
    'b running',
    'a completed',
  ]);
});

test('an event that comes again after a resume is applied once', () => {
  const event = { type: 'call', call: call('a1'), seq: 2 } as const;

  expect(fold(snapshot(1), event, event).calls).toHaveLength(1);
});

test('a new snapshot replaces everything and asks views to read again', () => {
  const before = fold(snapshot(5, { runs: [run('a')] }), {
    type: 'call',
    call: call('a1'),
    seq: 6,
  });

  const after = applyMessage(before, snapshot(1, { epoch: 'e2' }))!;

  expect(after).toMatchObject({ epoch: 'e2', seq: 1, runs: [], calls: [] });
  expect(after.snapshots).toBe(before.snapshots + 1);
  expect(after.toolsVersion).toBeGreaterThan(before.toolsVersion);
});

test('servers change, come and go', () => {
  const state = fold(
    snapshot(1),
    { type: 'server-changed', server: server('notes', 'failing'), seq: 2 },
    { type: 'server-changed', server: server('mail', 'starting'), seq: 3 },
    { type: 'server-removed', name: 'notes', seq: 4 },
  );

  expect(state.status.servers.map(({ name, state: own }) => `${name} ${own}`)).toEqual([
    'mail starting',
  ]);
});

test('the page keeps a bounded number of calls and events', () => {
  const calls = Array.from({ length: 1_500 }, (_, place) => ({
    type: 'call' as const,
    call: call(`a${place}`),
    seq: place + 2,
  }));

  const state = fold(snapshot(1), ...calls);

  expect(state.calls).toHaveLength(1_000);
  expect(state.calls[0]?.id).toBe('a1499');
});
