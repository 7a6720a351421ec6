/**
 * Entry of a sandbox process. It runs one script at a time, each in its own guest, and has no real
 * event loop while a script runs: it reads a frame, runs the guest until it waits, and reads the
 * next. It ends when its parent process is gone.
 */
import { readSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { decodeHead, encodeFrame, type FrameOrigin, HEAD_BYTES, splitContent } from './frames.js';
import { loadEngine } from './guest-engine.js';
import type { GuestState, GuestVm } from './guest-vm.js';
import type { StartMessage, ToProcess } from './messages.js';

const STDIN = 0;
const STDOUT = 1;
const CHUNK_BYTES = 64 * 1024;

let unread: Buffer = Buffer.alloc(0);
let unsent: Buffer[] = [];
let unsentBytes = 0;

/** Reads the available bytes and waits for at least one. */
function readSome(into: Buffer, from: number): number {
  const count = readSync(STDIN, into, from, into.length - from, null);
  if (count === 0) process.exit(0);
  return count;
}

/** Waits for the next bytes. One read may have several small frames; a large one is read in place. */
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

/** Sends the pending output, then waits for the next message. */
function receive(): { message: ToProcess; body: Buffer } {
  flush();
  const content = splitContent(read(decodeHead(read(HEAD_BYTES)).length));
  if (content === undefined) process.exit(1);
  return { message: JSON.parse(content.header) as ToProcess, body: content.body };
}

/** Runs the next script to its end. */
function serve(guest: GuestVm): void {
  let heard = 0;
  for (;;) {
    const { message, body } = receive();
    const state = proceed(guest, message, body);
    if (state.status === 'idle') continue;
    if (message.type !== 'start') heard += 1;
    if (state.status === 'waiting') tell({ type: 'waiting', heard, due: state.due });
    if (state.status === 'stopped') tell({ type: 'stopped', limit: state.limit });
    if (state.status !== 'waiting') return;
  }
}

function proceed(guest: GuestVm, message: ToProcess, body: Buffer): GuestState {
  if (message.type === 'start') return guest.start(message, body);
  return message.type === 'reply' ? guest.reply(message, body) : guest.tick(message.now);
}

const [engineUrl = '', ...binaries] = process.argv.slice(2);
/** Runs common script operations once without effect, so that the engine optimises its code. */
const REHEARSAL: StartMessage = {
  type: 'start',
  source: `
    const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: 'row ' + id, tags: ['a', 'b'] }));
    const again = JSON.parse(JSON.stringify(rows)).filter((row) => row.id % 2).map((row) => ({ ...row }));
    console.log(again.slice(0, 20));
    await Promise.all(again.slice(0, 20).map(async (row) => row.id));
    return again;`,
  seed: 1,
  now: 1,
  limits: {
    wallMs: 1_000,
    cpuMs: 1_000,
    memoryBytes: 64 * 1024 * 1024,
    calls: 0,
    outputBytes: 1024 * 1024,
    logLines: 10,
  },
};

let isRehearsal = true;
const post = (text: string) => {
  if (!isRehearsal) send('guest', text);
};
const engine = await loadEngine(engineUrl, binaries, { post, flush });
const first = await engine.createGuest();
first.start(REHEARSAL, Buffer.from('null'));
first.dispose();
isRehearsal = false;
for (;;) {
  const guest = await engine.createGuest();
  tell({ type: 'ready' });
  serve(guest);
  flush();
  guest.dispose();
  // Lets the collector free what the guest left.
  await nextTurn();
}
