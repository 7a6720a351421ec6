import {
  messageOf,
  type SandboxCall,
  type SandboxEnd,
  type SandboxHost,
  type SandboxLimit,
  type SandboxLimits,
  type SandboxReply,
  type SandboxScript,
} from '../core/index.js';
import { droppedLinesWords, limitBehind, limitWords } from './limit-words.js';
import type { GuestProcess } from './process.js';
import type { FromProcess } from './read-frame.js';

/** Of operations and refused lines together; a process that sends more of them floods us. */
const MOST_SMALL_FRAMES = 100_000;
/** How long a process whose script has ended may take until it is ready for the next. */
const READY_AGAIN_MS = 5_000;

export interface LiveScriptOptions {
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  readonly onWaiting: (isWaiting: boolean) => void;
  /** Before anything else is heard of its process, which may be ready again in the same moment. */
  readonly onEnd: () => void;
}

/**
 * One script in one process. Everything that comes from there is checked here: what a guest says of
 * its own limits is a courtesy, what is counted here is what counts. The first end is the end.
 */
export class LiveScript {
  readonly ended: Promise<SandboxEnd>;
  readonly #process: GuestProcess;
  readonly #host: SandboxHost;
  readonly #limits: SandboxLimits;
  readonly #signal: AbortSignal;
  readonly #onWaiting: (isWaiting: boolean) => void;
  readonly #onEnd: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #open = new Set<number>();
  readonly #onAbort = () => this.#kill({ status: 'aborted' });
  #settle!: (end: SandboxEnd) => void;
  #hasEnded = false;
  #calls = 0;
  #sent = 0;
  /** Aborted when the script goes on before a timer is due. */
  #wait: AbortController | undefined;
  #lines = 0;
  #lineBytes = 0;
  #hasDropped = false;
  #smallFrames = 0;

  constructor(
    guest: GuestProcess,
    script: SandboxScript,
    host: SandboxHost,
    { limits, signal, onWaiting, onEnd }: LiveScriptOptions,
  ) {
    this.#process = guest;
    this.#host = host;
    this.#limits = limits;
    this.#signal = signal;
    this.#onWaiting = onWaiting;
    this.#onEnd = onEnd;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    this.#timer = setTimeout(() => this.stop('time'), limits.wallMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    guest.begin(limits.outputBytes, {
      onMessage: (message) => this.#hear(message),
      onEnded: (why) => this.#end(this.#stopped('crash', why)),
    });
    const { source, args, seed, now } = script;
    guest.send({ type: 'start', source, seed, now, limits }, JSON.stringify(args) ?? 'null');
  }

  /** Ends the script from outside, and its process with it. */
  stop(limit: SandboxLimit, message = limitWords(limit, this.#limits)): void {
    this.#kill({ status: 'stopped', limit, message });
  }

  /** A host that breaks must not leave its script waiting. */
  #hear(message: FromProcess): void {
    try {
      this.#receive(message);
    } catch (error) {
      this.#kill(this.#stopped('crash', messageOf(error)));
    }
  }

  #receive(message: FromProcess): void {
    if (this.#hasEnded) return;
    switch (message.type) {
      case 'call':
        return this.#call(message.call);
      case 'log':
        return this.#log(message);
      case 'log-full':
        return this.#drop();
      case 'operated':
        this.#count();
        return this.#host.operated(message.operations);
      case 'waiting':
        return this.#rest(message);
      case 'returned':
        return this.#end({ status: 'returned', value: message.value });
      case 'threw': {
        const limit = limitBehind(message.error);
        if (limit !== undefined) return this.#end(this.#stopped(limit));
        return this.#end({ status: 'threw', error: message.error });
      }
      case 'refused':
        return this.#kill({
          status: 'threw',
          error: { name: 'RangeError', message: message.why },
        });
      case 'stopped':
        return this.#end(this.#stopped(message.limit));
      case 'ready':
        return this.#kill(this.#stopped('crash'));
    }
  }

  #call(call: SandboxCall): void {
    this.#calls += 1;
    if (call.id !== this.#calls) return this.stop('crash');
    if (this.#calls > this.#limits.calls) return this.stop('calls');
    this.#open.add(call.id);
    void this.#answer(call).then((reply) => {
      if (this.#hasEnded || !this.#open.delete(call.id)) return;
      this.#reply(call.id, reply);
    });
  }

  /** The host answers failures as values; if it breaks all the same, the script hears that it did. */
  async #answer(call: SandboxCall): Promise<SandboxReply> {
    try {
      return await this.#host.call(call);
    } catch (error) {
      const words = { name: 'Error', message: messageOf(error), code: 'CALL_FAILED' };
      return { ok: false, error: words, now: Date.now() };
    }
  }

  #reply(id: number, reply: SandboxReply): void {
    this.#goOn();
    const { ok, body, now } = written(reply);
    this.#process.send({ type: 'reply', id, ok, now }, body);
  }

  #log({ line }: Extract<FromProcess, { type: 'log' }>): void {
    this.#lines += 1;
    this.#lineBytes += Buffer.byteLength(line.text);
    const { logLines, outputBytes } = this.#limits;
    if (this.#lines > logLines || this.#lineBytes > outputBytes) return this.#drop();
    this.#host.log(line);
  }

  #drop(): void {
    this.#count();
    if (this.#hasDropped) return;
    this.#hasDropped = true;
    this.#host.log({ level: 'warn', text: droppedLinesWords(this.#limits) });
  }

  #count(): void {
    this.#smallFrames += 1;
    if (this.#smallFrames > MOST_SMALL_FRAMES) this.stop('crash');
  }

  #rest({ heard, due }: Extract<FromProcess, { type: 'waiting' }>): void {
    // An answer that was under way when it was said lets the script go on by itself.
    if (heard !== this.#sent) return;
    this.#onWaiting(true);
    if (due === undefined) return this.#host.waiting?.();
    this.#wait?.abort();
    this.#wait = new AbortController();
    void this.#tick(due, this.#wait.signal);
  }

  async #tick(due: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#host.waitUntil(due, signal);
    } catch (error) {
      return this.#kill(this.#stopped('crash', messageOf(error)));
    }
    if (signal.aborted) return;
    this.#goOn();
    this.#process.send({ type: 'tick', now: due }, '');
  }

  /** Something is on its way that lets the script go on. */
  #goOn(): void {
    this.#sent += 1;
    this.#wait?.abort();
    this.#wait = undefined;
    this.#onWaiting(false);
  }

  #stopped(limit: SandboxLimit, why?: string): SandboxEnd {
    const words = limitWords(limit, this.#limits);
    return { status: 'stopped', limit, message: why === undefined ? words : `${words} (${why})` };
  }

  #kill(end: SandboxEnd): void {
    if (this.#hasEnded) return;
    this.#process.kill();
    this.#end(end);
  }

  #end(end: SandboxEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#wait?.abort();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#onEnd();
    this.#process.expectReady(READY_AGAIN_MS);
    this.#settle(end);
  }
}

/** A value that cannot be written becomes an error the script can catch. */
function written(reply: SandboxReply): { ok: boolean; body: string; now: number } {
  const { ok, now } = reply;
  try {
    // The engine refuses what nests too deep for it: to look for that here would take as long again.
    return { ok, now, body: JSON.stringify(reply.ok ? reply.value : reply.error) ?? 'null' };
  } catch (error) {
    return unwritable(messageOf(error), now);
  }
}

function unwritable(why: string, now: number): { ok: false; body: string; now: number } {
  const message = `the answer cannot be given to a script: ${why}`;
  return { ok: false, now, body: JSON.stringify({ name: 'Error', message, code: 'CALL_FAILED' }) };
}
