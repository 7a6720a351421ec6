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
const CHUNK_BYTES = 64 * 1024;

let unread: Buffer = Buffer.alloc(0);
let unsent: Buffer[] = [];
let unsentBytes = 0;

/** Reads what there is, at least one byte; waits for it. */
function readSome(into: Buffer, from: number): number {
  const count = readSync(STDIN, into, from, into.length - from, null);
  if (count === 0) process.exit(0);
  return count;
}

/** The next bytes; waits for them. Small frames come several in one read, a large one goes in place. */
function read(bytes: number): Buffer {
  if (unread.length < bytes) {
    const room = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, bytes));
    let filled = unread.copy(room);
    while (filled < bytes) filled += readSome(room, filled);
    unread = room.subarray(0, filled);
  }
  const taken = unread.subarray(0, bytes);
  unread = unread.subarray(bytes);
  return taken;
}

function send(origin: FrameOrigin, text: string): void {
  const frame = encodeFrame(origin, text);
  unsent.push(frame);
  unsentBytes += frame.length;
  if (unsentBytes > CHUNK_BYTES) flush();
}

function flush(): void {
  if (unsentBytes === 0) return;
  const bytes = unsent.length === 1 && unsent[0] ? unsent[0] : Buffer.concat(unsent);
  unsent = [];
  unsentBytes = 0;
  for (let at = 0; at < bytes.length;) at += writeSync(STDOUT, bytes, at);
}

function tell(message: object): void {
  send('process', `${JSON.stringify(message)}\n`);
}

/** Waits for the next message; what was to be said is said before. */
function receive(): { message: ToProcess; body: Buffer } {
  flush();
  const content = splitContent(read(decodeHead(read(HEAD_BYTES)).length));
  if (content === undefined) process.exit(1);
  return { message: JSON.parse(content.header) as ToProcess, body: content.body };
}

/** Runs the script that comes next, to its end. */
function serve(guest: GuestVm): void {
  let replies = 0;
  for (;;) {
    const { message, body } = receive();
    const state =
      message.type === 'start' ? guest.start(message, body) : guest.reply(message, body);
    if (state.status === 'idle') continue;
    if (message.type === 'reply') replies += 1;
    if (state.status === 'waiting') tell({ type: 'waiting', replies });
    if (state.status === 'stopped') tell({ type: 'stopped', limit: state.limit });
    if (state.status !== 'waiting') return;
  }
}

const [engineUrl = '', ...binaries] = process.argv.slice(2);
const post = (text: string) => send('guest', text);
const engine = await loadEngine(engineUrl, binaries, { post, flush });
for (;;) {
  const guest = await engine.createGuest();
  tell({ type: 'ready' });
  serve(guest);
  flush();
  guest.dispose();
  // Lets the collector have what the guest left.
  await nextTurn();
}
