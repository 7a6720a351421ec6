/**
 * Entry of a sandbox process. It runs one script at a time, each in its own guest, and has no real
 * event loop while a script runs: it reads a frame, runs the guest until it waits, and reads the
 * next. It ends when its parent process is gone.
 */
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { encodeFrame, wrapContent } from './frames.js';
import { loadEngine } from './guest-engine.js';
import { bodyOf, type GuestBody, GuestInput } from './guest-input.js';
import type { GuestState, GuestVm } from './guest-vm.js';
import type { StartMessage, ToProcess } from './messages.js';

const STDOUT = 1;
/** So many pending bytes are sent without waiting for more. */
const MOST_UNSENT_BYTES = 64 * 1024;

const input = new GuestInput();
let unsent: Buffer[] = [];
let unsentBytes = 0;

function send(frame: Buffer): void {
  unsent.push(frame);
  unsentBytes += frame.length;
  if (unsentBytes > MOST_UNSENT_BYTES) flush();
}

function flush(): void {
  if (unsentBytes === 0) return;
  const bytes = unsent.length === 1 && unsent[0] ? unsent[0] : Buffer.concat(unsent);
  unsent = [];
  unsentBytes = 0;
  for (let at = 0; at < bytes.length;) at += writeSync(STDOUT, bytes, at);
}

function tell(message: object): void {
  send(encodeFrame('process', JSON.stringify(message)));
}

/** Sends the pending output, then waits for the next message. */
function receive(): { message: ToProcess; body: GuestBody } {
  flush();
  const { header, body } = input.next();
  return { message: JSON.parse(header) as ToProcess, body };
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

function proceed(guest: GuestVm, message: ToProcess, body: GuestBody): GuestState {
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
const post = (content: Uint8Array) => {
  if (!isRehearsal) send(wrapContent('guest', content));
};
const engine = await loadEngine(engineUrl, binaries, { post, flush });
const first = await engine.createGuest();
first.start(REHEARSAL, bodyOf('null'));
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
