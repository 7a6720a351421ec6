import type { Writable } from 'node:stream';

import { writeNow } from './write-now.js';

/** Writes messages as lines; those of one turn of the event loop leave in one write. */
export class LineWriter {
  readonly #stream: Writable;
  #waiting = '';
  bytesWritten = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(message: unknown): void {
    // Serialised first: what cannot be serialised must throw before it changes anything.
    const line = `${JSON.stringify(message)}\n`;
    if (this.#waiting === '') process.nextTick(() => this.flush());
    this.#waiting += line;
  }

  flush(): void {
    if (this.#waiting === '' || !this.#stream.writable) return;
    const bytes = Buffer.from(this.#waiting, 'utf8');
    this.#waiting = '';
    this.bytesWritten += bytes.length;
    writeNow(this.#stream, bytes);
  }
}
