import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

import type { ServerName } from '../core/index.js';
import { LineMask } from './mask-lines.js';

const MAX_LOG_BYTES = 5_000_000;

/**
 * What a server prints on stderr, in a file of its own, line by line and without secrets. The file
 * is turned over at a size, and what comes while the disk is behind is dropped: a flood must not fill
 * memory or disk.
 */
export class ServerLog {
  readonly path: string;
  readonly #mask: (text: string) => string;
  readonly #lines: LineMask;
  #stream: WriteStream | undefined;
  #size = 0;
  #dropped = 0;
  #isBehind = false;

  constructor(directory: string, server: ServerName, mask: (text: string) => string) {
    this.#mask = mask;
    this.#lines = new LineMask(mask);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.path = join(directory, `${server}.log`);
  }

  /** What comes of a line that has not ended waits for the rest of it. */
  write(chunk: Buffer): void {
    if (this.#isBehind) {
      this.#dropped += chunk.length;
      return;
    }
    this.#write(this.#lines.push(chunk));
  }

  /** A line of ours. */
  note(line: string): void {
    this.#write(`${this.#mask(line)}\n`);
  }

  #write(chunk: string): void {
    if (chunk === '') return;
    if (this.#isBehind) {
      this.#dropped += chunk.length;
      return;
    }
    const stream = this.#open();
    this.#size += chunk.length;
    this.#isBehind = !stream.write(chunk);
    if (this.#isBehind) stream.once('drain', () => this.#catchUp());
    if (this.#size > MAX_LOG_BYTES) this.#turnOver();
  }

  /** The server has ended, and with it its last line. */
  endLine(): void {
    const rest = this.#lines.flush();
    if (rest !== '') this.#write(`${rest}\n`);
  }

  close(): void {
    this.endLine();
    this.#closeStream();
  }

  #closeStream(): void {
    this.#stream?.end();
    this.#stream = undefined;
  }

  #open(): WriteStream {
    if (this.#stream) return this.#stream;
    this.#size = fileSize(this.path);
    const stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    // A full disk must not end the daemon; the log is a help, not a promise.
    stream.on('error', () => (this.#isBehind = true));
    this.#stream = stream;
    return stream;
  }

  #catchUp(): void {
    this.#isBehind = false;
    if (this.#dropped > 0) this.#write(`\n[${this.#dropped} bytes dropped]\n`);
    this.#dropped = 0;
  }

  #turnOver(): void {
    this.#closeStream();
    try {
      renameSync(this.path, `${this.path}.1`);
    } catch {
      // Someone removed the file: the next write starts a new one, which is what we want.
    }
    this.#isBehind = false;
  }
}

function fileSize(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0; // Not there yet.
  }
}
