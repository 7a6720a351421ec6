import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { DashboardChange, DashboardSnapshot } from '../../control/index.js';
import { type Logger, messageOf } from '../../core/index.js';
import { EventReader } from './event-reader.js';
import { EventRing, type RingLimits } from './event-ring.js';

export interface EventHubOptions {
  /** The current state as a whole. */
  readonly snapshot: () => Promise<Omit<DashboardSnapshot, 'type' | 'seq' | 'epoch' | 'at'>>;
  /** Publishes what happens from now on. Returns the function that stops it. */
  readonly watch: (publish: (change: DashboardChange) => void) => () => void;
  /** The first browser connected, or the last one left. */
  readonly onReaders?: () => void;
  readonly log: Logger;
  readonly ring?: RingLimits;
  /** A browser with more pending bytes than this gets a snapshot later instead. */
  readonly mostWaitingBytes?: number;
  /** How long the hub keeps watching after the last browser left, for one that reloads its page. */
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
 * Sends messages to browsers. Messages are numbered; a browser that reconnects sends its last
 * number and gets what followed, or a snapshot if that was evicted. The hub waits for no browser
 * and drops messages only for one that is too slow.
 */
export class EventHub {
  /** Identifies this daemon: numbers of another one mean nothing here. */
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
    // The browser learns that it is accepted before the snapshot is ready.
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

  /** Ends all streams; browsers try to reconnect. */
  disconnect(): void {
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
    this.#stopWatching();
  }

  /** Sends a snapshot, and the changes made while it was built. */
  #begin(reader: EventReader): void {
    this.#sendSnapshot(reader).catch((error: unknown) => {
      this.#options.log.warn('dashboard: no snapshot', { error: messageOf(error) });
      // The browser reconnects and asks again.
      reader.end();
    });
  }

  async #sendSnapshot(reader: EventReader): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const seq = this.#seq;
      const parts = await this.#options.snapshot();
      if (reader.isClosed) return;
      const missed = this.#ring.after(seq, this.#seq);
      // So much changed meanwhile that the snapshot is already too old.
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
    // Changes made while nothing watched are in no message: earlier numbers cannot be resumed.
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
