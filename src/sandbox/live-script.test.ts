/** A process that is not ours any more: what it may write, and what comes of it. */
import { spawn } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { RecordingHost } from '../../test/conformance/sandbox.js';
import type { SandboxEnd, SandboxLimits } from '../core/index.js';
import { encodeFrame, type FrameOrigin } from './frames.js';
import { LiveScript } from './live-script.js';
import { GuestProcess } from './process.js';

const LIMITS: SandboxLimits = {
  wallMs: 10_000,
  cpuMs: 1_000,
  memoryBytes: 1_000_000,
  calls: 3,
  outputBytes: 1_000,
  logLines: 2,
};

const frame = (origin: FrameOrigin, header: object, body = '') =>
  encodeFrame(origin, JSON.stringify(header), body);
const call = (id: number) => frame('guest', { type: 'call', id, kind: 'tool', name: 'a:b' }, '{}');
const log = (text: string) => frame('guest', { type: 'log', level: 'info' }, text);
const returned = (text: string) => frame('guest', { type: 'returned' }, text);
const ready = frame('process', { type: 'ready' });

/** Says it is ready, writes the bytes when it is given a script, and then does nothing. */
const PROGRAM = `
  process.stdout.write(Buffer.from(process.argv[1], 'hex'));
  process.stdin.once('data', () => process.stdout.write(Buffer.from(process.argv[2], 'hex')));
  process.stdin.on('end', () => process.exit(0));`;

async function meet(bytes: readonly Buffer[]): Promise<{
  end: SandboxEnd;
  host: RecordingHost;
  timesReady: () => number;
  isGone: () => boolean;
}> {
  const host = new RecordingHost();
  let timesReady = 0;
  const all = Buffer.concat(bytes).toString('hex');
  const child = spawn(process.execPath, ['-e', PROGRAM, ready.toString('hex'), all], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const guest = await new Promise<GuestProcess>((resolve) => {
    const onReady = (one: GuestProcess) => {
      timesReady += 1;
      resolve(one);
    };
    void new GuestProcess(child, onReady, () => {});
  });
  const script = { source: '', args: null, seed: 1, now: 1 };
  const signal = new AbortController().signal;
  const options = { limits: LIMITS, signal, onWaiting() {}, onEnd() {} };
  const live = new LiveScript(guest, script, host, options);
  const end = await live.ended;
  await guest.end();
  return { end, host, timesReady: () => timesReady, isGone: () => guest.isGone };
}

describe('a process that does not keep to the protocol', () => {
  test.each<[string, readonly Buffer[]]>([
    ['a call with another id', [call(2)]],
    ['the same call twice', [call(1), call(1)]],
    ['that it is ready while its script runs', [ready, returned('"forged"')]],
    ['what is no frame', [Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
    ['a frame of no known origin', [Buffer.from([2, 0, 0, 0, 7, 123, 10])]],
    ['a header that is no JSON', [encodeFrame('guest', '{"type":')]],
    ['a result that is no JSON', [returned('{"a":')]],
    ['a frame that is too large', [log('x'.repeat(100_000)).subarray(0, 60)]],
    ['a guest speaking for its process', [frame('guest', { type: 'waiting', heard: 0 })]],
    ['operations that are none', [frame('guest', { type: 'operated' }, '[{"site":"x"}]')]],
  ])('%s ends its script as crashed', async (_, bytes) => {
    const { end, isGone } = await meet(bytes);

    expect(end).toMatchObject({ status: 'stopped', limit: 'crash' });
    expect(isGone()).toBe(true);
  });

  test('what it says after a violation is not heard', async () => {
    const bad = frame('guest', { type: 'nonsense' });

    const { timesReady, host } = await meet([bad, call(1), log('late'), returned('1'), ready]);

    expect(timesReady()).toBe(1);
    expect([host.calls, host.lines]).toEqual([[], []]);
  });

  test('nothing counts after the end, and of two ends the first', async () => {
    const { end, host } = await meet([returned('1'), returned('2'), call(1), log('late')]);

    expect(end).toEqual({ status: 'returned', value: 1 });
    expect([host.calls, host.lines]).toEqual([[], []]);
  });

  test('limits hold for a process that does not count', async () => {
    const calls = await meet([1, 2, 3, 4].map(call));
    const lines = await meet([...['a', 'b', 'c', 'd'].map(log), returned('1')]);

    expect(calls.end).toMatchObject({ status: 'stopped', limit: 'calls' });
    expect(calls.host.calls).toHaveLength(3);
    expect(lines.host.lines.map(({ text }) => text)).toEqual([
      'a',
      'b',
      expect.stringContaining('dropped'),
    ]);
  });

  test('keys that change prototypes are left out of what it returns', async () => {
    const { end } = await meet([returned('{"__proto__":{"polluted":true},"a":1}')]);

    expect(JSON.stringify(end)).toBe('{"status":"returned","value":{"a":1}}');
  });

  test('one that goes away ends its script', async () => {
    const child = spawn(process.execPath, ['-e', 'process.exit(3)']);
    const why = await new Promise<string>((resolve) => {
      void new GuestProcess(
        child,
        () => {},
        (_, words) => resolve(words),
      );
    });

    expect(why).toBe('code 3');
  });
});
