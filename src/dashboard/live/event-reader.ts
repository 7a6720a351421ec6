import type { ServerResponse } from 'node:http';

export interface ReaderOptions {
  /** What may wait in memory for a browser that reads slowly. */
  readonly mostWaitingBytes: number;
  /** The browser has taken in everything after it was too slow. */
  readonly onDrained: () => void;
  readonly onClosed: () => void;
}

/**
 * One browser. `starting`: it gets a snapshot first, and messages until then are part of that.
 * `behind`: it did not take in what it was sent; it gets nothing until it has, then a snapshot.
 */
type ReaderState = 'starting' | 'live' | 'behind' | 'closed';

export class EventReader {
  readonly #response: ServerResponse;
  readonly #options: ReaderOptions;
  #state: ReaderState = 'starting';
  /** What the browser had to be sent to begin with, and has not taken in. */
  #resumedBytes = 0;

  constructor(response: ServerResponse, options: ReaderOptions) {
    this.#response = response;
    this.#options = options;
    response.once('close', () => {
      this.#state = 'closed';
      options.onClosed();
    });
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** From here on the browser gets every message. */
  resume(texts: readonly { readonly text: string }[]): void {
    if (this.isClosed) return;
    this.#state = 'live';
    for (const { text } of texts) this.#response.write(text);
    // However long they are: a browser that gets them late would get as long ones again.
    this.#resumedBytes = this.#response.writableLength;
    if (this.#resumedBytes > 0) this.#response.once('drain', () => (this.#resumedBytes = 0));
  }

  offer(text: string): void {
    if (this.#state !== 'live') return;
    const isTakenIn = this.#response.write(text);
    const waiting = this.#response.writableLength - this.#resumedBytes;
    if (isTakenIn || waiting <= this.#options.mostWaitingBytes) return;
    this.#state = 'behind';
    this.#response.once('drain', () => {
      if (this.isClosed) return;
      this.#state = 'starting';
      this.#options.onDrained();
    });
  }

  /** A comment, so that both sides notice a connection that is gone. */
  beat(): void {
    if (this.#state === 'live') this.#response.write(':\n\n');
  }

  end(): void {
    this.#response.end();
  }
}
