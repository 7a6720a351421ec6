/**
 * Entry of a sandbox process. It runs one script at a time, each in a guest of its own, and has no
 * event loop to speak of while one runs: it reads a frame, lets the guest go on until that waits,
 * and reads the next. When nobody is there to write to it any more, it ends.
 */
import { readSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { decodeHead, encodeFrame, type FrameOrigin, HEAD_BYTES, splitContent } from './frames.js';
import { loadEngine } from './guest-engine.js';
import type { GuestVm } from './guest-vm.js';
import type { ToProcess } from './messages.js';

const STDIN = 0;
const STDOUT = 1;

function read(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes;) {
    const count = readSync(STDIN, buffer, at, bytes - at, null);
    if (count === 0) process.exit(0);
    at += count;
  }
  return buffer;
}

function send(origin: FrameOrigin, text: string): void {
  const frame = encodeFrame(origin, text);
  for (let at = 0; at < frame.length;) at += writeSync(STDOUT, frame, at);
}

function tell(message: object): void {
  send('process', `${JSON.stringify(message)}\n`);
}

function receive(): { message: ToProcess; body: Buffer } {
  const content = splitContent(read(decodeHead(read(HEAD_BYTES)).length));
  if (content === undefined) process.exit(1);
  return { message: JSON.parse(content.header) as ToProcess, body: content.body };
}

/** Runs the script that comes next, to its end. */
function serve(guest: GuestVm): void {
  let replies = 0;
  for (;;) {
    const { message, body } = receive();
    const text = body.toString();
    const state =
      message.type === 'start' ? guest.start(message, text) : guest.reply(message, text);
    if (state.status === 'idle') continue;
    if (message.type === 'reply') replies += 1;
    if (state.status === 'waiting') tell({ type: 'waiting', replies });
    if (state.status === 'stopped') tell({ type: 'stopped', limit: state.limit });
    if (state.status !== 'waiting') return;
  }
}

const [engineUrl = '', ...binaries] = process.argv.slice(2);
const engine = await loadEngine(engineUrl, binaries, (text) => send('guest', text));
for (;;) {
  const guest = await engine.createGuest();
  tell({ type: 'ready' });
  serve(guest);
  guest.dispose();
  // Lets the collector have what the guest left.
  await nextTurn();
}
