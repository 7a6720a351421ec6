import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { DashboardChange, DashboardSnapshot } from '../../control/index.js';
import { type Logger, messageOf } from '../../core/index.js';
import { EventReader } from './event-reader.js';
import { EventRing, type RingLimits } from './event-ring.js';

export interface EventHubOptions {
  /** Everything as it is now. */
  readonly snapshot: () => Promise<Omit<DashboardSnapshot, 'type' | 'seq' | 'epoch' | 'at'>>;
  /** Publishes what happens from now on. Gives how to stop. */
  readonly watch: (publish: (change: DashboardChange) => void) => () => void;
  /** The first browser came, or the last one left. */
  readonly onReaders?: () => void;
  readonly log: Logger;
  readonly ring?: RingLimits;
  /** A browser with more than this to be sent gets a snapshot later instead. */
  readonly mostWaitingBytes?: number;
  /** So long after the last browser left the daemon is still watched, for one that reloads its page. */
  readonly lingerMs?: number;
  readonly mostReaders?: number;
}

const RING = { events: 1_000, characters: 1_000_000 };
const MOST_WAITING_BYTES = 512 * 1024;
const MOST_READERS = 16;
const LINGER_MS = 60_000;
const BEAT_MS = 15_000;
const MOST_ATTEMPTS = 10;

/**
 * What browsers are told. Messages are numbered; a browser that comes back says the last number it
 * has and gets what followed, or a snapshot if that is gone. Nothing here waits for a browser: what
 * one cannot take in is dropped for that one alone.
 */
export class EventHub {
  /** Of this daemon: numbers of another one mean nothing here. */
  readonly epoch = randomBytes(6).toString('hex');
  readonly #options: EventHubOptions;
  readonly #ring: EventRing;
  readonly #readers = new Set<EventReader>();
  #seq = 0;
  #unwatch: (() => void) | undefined;
  #linger: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(options: EventHubOptions) {
    this.#options = options;
    this.#ring = new EventRing(options.ring ?? RING);
  }

  get readerCount(): number {
    return this.#readers.size;
  }

  /** Answers a request with the stream. */
  attach(response: ServerResponse, lastEventId: string | undefined): void {
    if (this.#readers.size >= (this.#options.mostReaders ?? MOST_READERS)) {
      response.writeHead(503, { 'retry-after': '5' }).end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    // The browser knows that it is let in before the snapshot is made.
    response.flushHeaders();
    const reader = new EventReader(response, {
      mostWaitingBytes: this.#options.mostWaitingBytes ?? MOST_WAITING_BYTES,
      onDrained: () => this.#begin(reader),
      onClosed: () => this.#leave(reader),
    });
    this.#readers.add(reader);
    this.#startWatching();
    if (this.#readers.size === 1) this.#options.onReaders?.();
    const missed = this.#missedSince(lastEventId);
    if (missed) reader.resume(missed);
    else this.#begin(reader);
  }

  publish(change: DashboardChange): void {
    const seq = ++this.#seq;
    const event = { seq, text: this.#written(seq, { seq, ...change }) };
    this.#ring.add(event);
    for (const reader of this.#readers) reader.offer(event.text);
  }

  /** Ends all streams; browsers try to come back. */
  disconnect(): void {
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
    this.#stopWatching();
  }

  /** Sends a snapshot, and what happened while it was made. */
  #begin(reader: EventReader): void {
    this.#sendSnapshot(reader).catch((error: unknown) => {
      this.#options.log.warn('dashboard: no snapshot', { error: messageOf(error) });
      // The browser comes back and asks again.
      reader.end();
    });
  }

  async #sendSnapshot(reader: EventReader): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const seq = this.#seq;
      const parts = await this.#options.snapshot();
      if (reader.isClosed) return;
      const missed = this.#ring.after(seq, this.#seq);
      // So much happened meanwhile that the snapshot is too old already.
      if (!missed) continue;
      const at = new Date().toISOString();
      const snapshot = { type: 'snapshot', seq, epoch: this.epoch, at, ...parts } as const;
      reader.resume([{ text: this.#written(seq, snapshot) }, ...missed]);
      return;
    }
    throw new Error(`more happens than ${MOST_ATTEMPTS} snapshots can follow`);
  }

  #missedSince(lastEventId: string | undefined) {
    const [epoch, seq] = (lastEventId ?? '').split('-');
    if (epoch !== this.epoch || seq === undefined || !/^\d{1,15}$/.test(seq)) return undefined;
    return this.#ring.after(Number(seq), this.#seq);
  }

  #written(seq: number, message: object): string {
    return `id: ${this.epoch}-${seq}\ndata: ${JSON.stringify(message)}\n\n`;
  }

  #leave(reader: EventReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#options.onReaders?.();
    const ms = this.#options.lingerMs ?? LINGER_MS;
    this.#linger = setTimeout(() => this.#stopWatching(), ms).unref();
  }

  #startWatching(): void {
    clearTimeout(this.#linger);
    if (this.#unwatch) return;
    // What happened while nothing watched is in no message: numbers from before cannot be resumed.
    this.#ring.clear();
    this.#seq += 1;
    this.#unwatch = this.#options.watch((change) => this.publish(change));
    this.#beat = setInterval(() => {
      for (const reader of this.#readers) reader.beat();
    }, BEAT_MS).unref();
  }

  #stopWatching(): void {
    clearTimeout(this.#linger);
    clearInterval(this.#beat);
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#ring.clear();
  }
}
