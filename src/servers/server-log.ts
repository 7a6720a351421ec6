import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { dirname, join } from 'node:path';

import type { ServerName } from '../core/index.js';
import { LineMask } from './mask-lines.js';

const MAX_LOG_BYTES = 5_000_000;
/** How long after a failure the file is opened again. */
const REOPEN_MS = 5_000;

export interface ProcessLines {
  /** What comes of a line that has not ended waits for the rest of it. */
  readonly write: (chunk: Buffer) => void;
  /** The process has ended, and with it its last line. */
  readonly end: () => void;
}

/**
 * What a server prints on stderr, in a file of its own, line by line and without secrets. The file
 * is turned over at a size, and what comes while the disk is behind is dropped: a flood must not fill
 * memory or disk.
 */
export class ServerLog {
  readonly path: string;
  readonly #mask: (text: string) => string;
  /** Of the processes that write to it. */
  readonly #open = new Set<ProcessLines>();
  #stream: WriteStream | undefined;
  #size = 0;
  #dropped = 0;
  #isBehind = false;
  #reopen: NodeJS.Timeout | undefined;

  constructor(directory: string, server: ServerName, mask: (text: string) => string) {
    this.#mask = mask;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.path = join(directory, `${server}.log`);
  }

  /** For what one process prints: its lines are not mixed with those of another. */
  openLines(): ProcessLines {
    const mask = new LineMask(this.#mask);
    const lines: ProcessLines = {
      write: (chunk) => {
        if (this.#isBehind) this.#dropped += chunk.length;
        else this.#write(mask.push(chunk));
      },
      end: () => {
        this.#open.delete(lines);
        const rest = mask.flush();
        if (rest !== '') this.#write(`${rest}\n`);
      },
    };
    this.#open.add(lines);
    return lines;
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
    const stream = this.#openStream();
    this.#size += chunk.length;
    this.#isBehind = !stream.write(chunk);
    if (this.#isBehind) stream.once('drain', () => this.#catchUp());
    if (this.#size > MAX_LOG_BYTES) this.#turnOver();
  }

  close(): void {
    clearTimeout(this.#reopen);
    for (const lines of this.#open) lines.end();
    this.#closeStream();
  }

  #closeStream(): void {
    this.#stream?.end();
    this.#stream = undefined;
  }

  #openStream(): WriteStream {
    if (this.#stream) return this.#stream;
    this.#size = fileSize(this.path);
    try {
      // Only the last folder: a data directory that was taken away is not made again.
      mkdirSync(dirname(this.path), { mode: 0o700 });
    } catch {
      // The stream cannot be opened either, and reports it.
    }
    const stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    stream.on('error', () => this.#onFailed(stream));
    this.#stream = stream;
    return stream;
  }

  /** A full disk must not end the daemon: the log drops lines, and opens its file again later. */
  #onFailed(stream: WriteStream): void {
    if (stream !== this.#stream) return;
    this.#stream = undefined;
    this.#isBehind = true;
    this.#reopen = setTimeout(() => this.#catchUp(), REOPEN_MS).unref();
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
      // The user removed the file: the next write starts a new one, which is what we want.
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
