import { readSync } from 'node:fs';

import { decodeHead, HEAD_BYTES, LINE_BREAK } from './frames.js';

const STDIN = 0;
const CHUNK_BYTES = 64 * 1024;

/** The body of a frame, which may be read once. */
export interface GuestBody {
  readonly length: number;
  /** `target` has as many bytes as the body. */
  readInto(target: Uint8Array): void;
}

export function bodyOf(text: string): GuestBody {
  const bytes = Buffer.from(text);
  return { length: bytes.length, readInto: (target) => target.set(bytes) };
}

/**
 * Frames from the parent process. One read may bring several small ones; a large body goes from the
 * pipe to the place where it is needed. The process ends when the pipe does.
 */
export class GuestInput {
  #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #start = 0;
  #end = 0;
  /** Bytes of the current frame that nothing has read yet. */
  #left = 0;

  /** Waits for the next frame. */
  next(): { readonly header: string; readonly body: GuestBody } {
    if (this.#left > 0) this.#readInto(Buffer.allocUnsafe(this.#left));
    this.#fill(HEAD_BYTES);
    const { length } = decodeHead(this.#buffer.subarray(this.#start, this.#end));
    this.#start += HEAD_BYTES;
    const headerBytes = this.#findLineBreak(length);
    const header = this.#buffer.toString('utf8', this.#start, this.#start + headerBytes);
    this.#start += headerBytes + 1;
    this.#left = length - headerBytes - 1;
    return {
      header,
      body: { length: this.#left, readInto: (target) => this.#readInto(target) },
    };
  }

  #findLineBreak(length: number): number {
    for (let looked = 0; ;) {
      const end = Math.min(this.#end, this.#start + length);
      const at = this.#buffer.subarray(0, end).indexOf(LINE_BREAK, this.#start + looked);
      if (at >= 0) return at - this.#start;
      looked = end - this.#start;
      if (looked === length) process.exit(1);
      this.#fill(looked + 1);
    }
  }

  /** Waits until so many bytes are in the buffer. */
  #fill(bytes: number): void {
    while (this.#end - this.#start < bytes) {
      if (this.#end === this.#buffer.length) this.#makeRoom();
      this.#end += readSome(this.#buffer, this.#end);
    }
  }

  /** Moves what is left to the front, of a larger buffer if it is already there. */
  #makeRoom(): void {
    const { length } = this.#buffer;
    const target = this.#start > 0 ? this.#buffer : Buffer.allocUnsafe(2 * length);
    this.#end = this.#buffer.copy(target, 0, this.#start, this.#end);
    this.#start = 0;
    this.#buffer = target;
  }

  #readInto(target: Uint8Array): void {
    const ready = Math.min(target.length, this.#end - this.#start);
    this.#buffer.copy(target, 0, this.#start, this.#start + ready);
    this.#start += ready;
    for (let filled = ready; filled < target.length;) filled += readSome(target, filled);
    this.#left = 0;
  }
}

/** Reads the available bytes and waits for at least one. */
function readSome(into: Uint8Array, from: number): number {
  const count = readSync(STDIN, into, from, into.length - from, null);
  if (count === 0) process.exit(0);
  return count;
}
