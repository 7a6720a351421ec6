import { decodeHead, type Frame, HEAD_BYTES, splitContent } from './frames.js';

/** Makes frames of what a process writes. What cannot be one is reported once, then nothing more. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  readonly #onBroken: (why: string) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isBroken = false;
  /** A longer frame is refused by its length, before any of it is kept. */
  mostBytes = Infinity;

  constructor(onFrame: (frame: Frame) => void, onBroken: (why: string) => void) {
    this.#onFrame = onFrame;
    this.#onBroken = onBroken;
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Reports frames that are complete, up to this many; true if there may be more. */
  take(most = Infinity): boolean {
    for (let taken = 0; taken < most; taken++) {
      if (this.#isBroken || !this.#takeFrame()) return false;
    }
    return true;
  }

  #takeFrame(): boolean {
    if (this.#bytes < HEAD_BYTES) return false;
    const { length, origin } = decodeHead(this.#peekHead());
    if (length > this.mostBytes) return this.#fail(`a frame of ${length} bytes`);
    if (this.#bytes < HEAD_BYTES + length) return false;
    const all = this.#join();
    const content = splitContent(all.subarray(HEAD_BYTES, HEAD_BYTES + length));
    this.#keep(all.subarray(HEAD_BYTES + length));
    if (origin === undefined || content === undefined) return this.#fail('a frame without a head');
    this.#onFrame({ origin, ...content });
    return true;
  }

  #peekHead(): Buffer {
    const first = this.#chunks[0];
    return first && first.length >= HEAD_BYTES ? first : this.#join();
  }

  #join(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#keep(all ?? Buffer.alloc(0));
    return all ?? Buffer.alloc(0);
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
  }

  #fail(why: string): boolean {
    this.#isBroken = true;
    this.#keep(Buffer.alloc(0));
    this.#onBroken(why);
    return false;
  }
}
