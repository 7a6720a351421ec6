import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { MAX_HEAD_BYTES, NEWLINE, parseHead, type ReadHead } from './record.js';

/** What lies one after another in a segment: records, and stretches that are none. */
export type Found =
  | {
      readonly kind: 'record';
      readonly head: ReadHead;
      readonly offset: number;
      readonly bytes: number;
    }
  | {
      readonly kind: 'loss';
      /** Of the one record that it was, if its head is whole. */
      readonly head?: ReadHead;
      readonly offset: number;
      readonly bytes: number;
      /** Whether the file ends before the line does. */
      readonly isCutOff: boolean;
    };

const CHUNK_BYTES = 1 << 20;

/** Reads a file in large steps and hands out any part of it, mostly forward. */
class Window {
  readonly #file: FileHandle;
  readonly #end: number;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #start = 0;
  #filled = 0;

  constructor(file: FileHandle, end: number) {
    this.#file = file;
    this.#end = end;
  }

  /** Some bytes from there on: at least so many as asked for, unless the end comes first. */
  async at(offset: number, atLeast: number): Promise<Buffer> {
    if (!this.holds(offset, atLeast)) await this.#fill(offset);
    return this.held(offset);
  }

  /** Whether no wait is needed: awaiting every record costs more than reading it. */
  holds(offset: number, atLeast: number): boolean {
    const wanted = Math.min(offset + atLeast, this.#end);
    return offset >= this.#start && wanted <= this.#start + this.#filled;
  }

  held(offset: number): Buffer {
    return this.#chunk.subarray(offset - this.#start, this.#filled);
  }

  async #fill(offset: number): Promise<void> {
    this.#start = offset;
    this.#filled = 0;
    const length = Math.min(CHUNK_BYTES, this.#end - offset);
    while (this.#filled < length) {
      const rest = length - this.#filled;
      const from = offset + this.#filled;
      const { bytesRead } = await this.#file.read(this.#chunk, this.#filled, rest, from);
      if (bytesRead === 0) throw new Error(`the file ends at byte ${from}`);
      this.#filled += bytesRead;
    }
  }
}

/** Everything between two offsets of a segment, in order and without a gap. */
export async function* scanSegment(
  file: FileHandle,
  start: number,
  end: number,
): AsyncGenerator<Found, void> {
  const window = new Window(file, end);
  for (let offset = start; offset < end;) {
    if (!window.holds(offset, MAX_HEAD_BYTES)) await window.at(offset, MAX_HEAD_BYTES);
    const line = window.held(offset);
    const head = parseHead(line);
    const bytes = head ? head.headBytes + head.bodyBytes + 1 : 0;
    if (head && offset + bytes <= end) {
      const isWhole =
        bytes <= line.length
          ? isLineWhole(line, head)
          : await isLongLineWhole(window, offset, head);
      yield isWhole
        ? { kind: 'record', head, offset, bytes }
        : { kind: 'loss', head, offset, bytes, isCutOff: false };
      offset += bytes;
    } else {
      const next = await findHead(window, offset + 1, end);
      const isCutOff = next === end && (await window.at(end - 1, 1))[0] !== NEWLINE;
      yield { kind: 'loss', ...(head && { head }), offset, bytes: next - offset, isCutOff };
      offset = next;
    }
  }
}

/** Disks write no less than this at once. */
const SECTOR_BYTES = 512;

/**
 * Whether part of the stretch never got to disk: zeros for a whole sector, or up to the end of the
 * file. A single zero in the middle is no hole but a byte that changed.
 */
export async function holdsHole(
  file: FileHandle,
  { start, end, size }: { readonly start: number; readonly end: number; readonly size: number },
): Promise<boolean> {
  const window = new Window(file, end);
  let zeros = 0;
  for (let offset = start; offset < end;) {
    const bytes = await window.at(offset, 1);
    for (const byte of bytes) {
      zeros = byte === 0 ? zeros + 1 : 0;
      if (zeros >= SECTOR_BYTES) return true;
    }
    offset += bytes.length;
  }
  return zeros > 0 && end === size;
}

function isLineWhole(line: Buffer, { headBytes, bodyBytes, bodyCrc }: ReadHead): boolean {
  const end = headBytes + bodyBytes;
  return line[end] === NEWLINE && crc32(line.subarray(headBytes, end)) === bodyCrc;
}

async function isLongLineWhole(window: Window, offset: number, head: ReadHead): Promise<boolean> {
  const end = offset + head.headBytes + head.bodyBytes;
  let crc = 0;
  for (let at = offset + head.headBytes; at < end;) {
    const bytes = (await window.at(at, 1)).subarray(0, end - at);
    crc = crc32(bytes, crc);
    at += bytes.length;
  }
  return crc === head.bodyCrc && (await window.at(end, 1))[0] === NEWLINE;
}

/** Where the next line with a whole head begins, or the end. */
async function findHead(window: Window, start: number, end: number): Promise<number> {
  for (let at = start; at < end;) {
    const bytes = await window.at(at, 1);
    const newline = bytes.indexOf(NEWLINE);
    at += newline < 0 ? bytes.length : newline + 1;
    if (newline < 0 || at >= end) continue;
    if (parseHead(await window.at(at, MAX_HEAD_BYTES))) return at;
  }
  return end;
}
