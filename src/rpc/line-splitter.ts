import { PmlError } from '../core/errors.js';

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Cuts a byte stream into lines. Every byte is looked at once however many chunks a line takes,
 * and a line that outgrows `maxBytes` is an error before it is in memory as a whole.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Lines completed by `chunk`, without their newline. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    let end = chunk.indexOf(NEWLINE);
    while (end !== -1) {
      lines.push(this.#complete(chunk.subarray(start, end)));
      start = end + 1;
      end = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
    return lines;
  }

  /** What has arrived of the line that is not complete yet. */
  get pendingBytes(): number {
    return this.#size;
  }

  #complete(tail: Buffer): Buffer {
    if (this.#size === 0) return tail;
    this.#keep(tail);
    const line = Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    return line;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      const size = this.#size;
      this.#parts = [EMPTY];
      throw new PmlError(
        'SERVER_TOO_LARGE',
        `A message of more than ${this.#maxBytes} bytes arrived (${size} so far)`,
        { details: { maxBytes: this.#maxBytes } },
      );
    }
    this.#parts.push(part);
  }
}
