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
