import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';

import { expect, test } from 'vitest';

import { encodeFrame } from './frames.js';
import { GuestProcess } from './process.js';

/** A child whose words and end come when the test says so. */
function fakeChild() {
  const stdout = new PassThrough();
  const kills: unknown[] = [];
  const parts = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), pid: 1 };
  const child = Object.assign(new EventEmitter(), parts, {
    kill: (signal: unknown) => kills.push(signal),
  });
  return { child, kills, say: () => stdout.push(encodeFrame('process', '{"type":"ready"}')) };
}

test('a process that was killed is not ready, though it had said so before it died', async () => {
  const { child, kills, say } = fakeChild();
  const told: string[] = [];
  const guest = new GuestProcess(
    // The few parts of a child that a guest process uses.
    child as unknown as ChildProcess,
    () => told.push('ready'),
    (_, why) => told.push(`gone: ${why}`),
  );

  guest.kill();
  say();
  await new Promise((resolve) => setImmediate(resolve));
  child.emit('exit', null, 'SIGKILL');

  expect(kills).toEqual(['SIGKILL']);
  expect(guest.isGone).toBe(true);
  expect(told).toEqual(['gone: SIGKILL']);
});

test('calls that arrive together are heard over several turns of the loop, in order', async () => {
  const { child, say } = fakeChild();
  const heard: number[] = [];
  let inFirstTurn: number | undefined;
  const ready = new Promise<GuestProcess>((resolve) => {
    // The few parts of a child that a guest process uses.
    void new GuestProcess(child as unknown as ChildProcess, resolve, () => {});
  });
  say();
  const guest = await ready;
  guest.begin(1_000, {
    onMessage: (message) => {
      if (heard.length === 0) setImmediate(() => (inFirstTurn = heard.length));
      if (message.type === 'call') heard.push(message.call.id);
    },
    onEnded: () => {},
  });

  const ids = Array.from({ length: 500 }, (_, at) => at + 1);
  const frames = ids.map((id) =>
    encodeFrame('guest', JSON.stringify({ type: 'call', id, kind: 'tool', name: 'a:b' }), '{}'),
  );
  child.stdout.push(Buffer.concat(frames));

  await expect.poll(() => heard.length).toBe(ids.length);
  expect(heard).toEqual(ids);
  expect(inFirstTurn).toBeLessThan(100);
});

test('what a process sent before it ended is heard before its end', async () => {
  const { child, say } = fakeChild();
  const heard: string[] = [];
  const ready = new Promise<GuestProcess>((resolve) => {
    // The few parts of a child that a guest process uses.
    void new GuestProcess(child as unknown as ChildProcess, resolve, () => {});
  });
  say();
  const guest = await ready;
  guest.begin(1_000, {
    onMessage: ({ type }) => {
      if (heard.length === 0) child.emit('exit', 1, null);
      heard.push(type);
    },
    onEnded: () => heard.push('ended'),
  });

  const line = encodeFrame('guest', '{"type":"log","level":"info"}', 'a line');
  const end = encodeFrame('guest', '{"type":"returned"}', '1');
  child.stdout.push(Buffer.concat([...Array.from({ length: 100 }, () => line), end]));

  await expect.poll(() => heard).toContain('ended');
  expect(heard.filter((type) => type === 'log')).toHaveLength(100);
  expect(heard.filter((type) => type === 'returned')).toHaveLength(1);
  expect(heard.indexOf('ended')).toBeGreaterThan(99);
});
