/**
 * Packs a directory into a tar stream and back, file by file, so that memory stays flat. Only what
 * a PostgreSQL data directory needs: plain files and directories with short relative names.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const BLOCK = 512;
const DIRECTORY = '5';
const FILE = '0';

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

export async function* packDirectory(
  root: string,
  { skip = [] }: { skip?: readonly string[] } = {},
): AsyncGenerator<Buffer, void> {
  const names = (await readdir(root, { recursive: true })).toSorted();
  for (const name of names) {
    if (skip.includes(name)) continue;
    const info = await stat(join(root, name));
    if (info.isDirectory()) yield encodeHeader({ name, type: DIRECTORY, size: 0 });
    else if (info.isFile()) yield* packFile(root, { name, type: FILE, size: info.size });
  }
  yield Buffer.alloc(2 * BLOCK);
}

async function* packFile(root: string, entry: Entry): AsyncGenerator<Buffer, void> {
  yield encodeHeader(entry);
  if (entry.size === 0) return;
  let sent = 0;
  for await (const chunk of createReadStream(join(root, entry.name), { end: entry.size - 1 })) {
    sent += (chunk as Buffer).length;
    yield chunk as Buffer;
  }
  if (sent !== entry.size) throw new Error(`${entry.name} changed while it was being packed`);
  yield Buffer.alloc(padding(entry.size));
}

/** Writes the entries below `root`, readable by the owner only. */
export async function unpackInto(root: string, tar: AsyncIterable<Buffer>): Promise<void> {
  const source = new ByteSource(tar);
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (let entry = await readEntry(source); entry !== undefined; entry = await readEntry(source)) {
    const path = join(root, safeName(entry.name));
    const isDirectory = entry.type === DIRECTORY;
    await mkdir(isDirectory ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!isDirectory) await writeEntry(path, entry, source);
    await source.take(padding(entry.size));
  }
}

async function writeEntry(path: string, { size }: Entry, source: ByteSource): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let left = size; left > 0;) {
      const chunk = await source.takeSome(left);
      await file.write(chunk);
      left -= chunk.length;
    }
  } finally {
    await file.close();
  }
}

async function readEntry(source: ByteSource): Promise<Entry | undefined> {
  const header = await source.take(BLOCK);
  if (header.every((byte) => byte === 0)) return undefined;
  const stored = Number.parseInt(field(header, 148, 8), 8);
  if (stored !== checksum(header)) throw new Error('The archive is damaged: bad header checksum');
  const type = field(header, 156, 1);
  const name = field(header, 0, 100);
  return { name, type, size: Number.parseInt(field(header, 124, 12), 8) };
}

function encodeHeader({ name, type, size }: Entry): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`Name too long for the archive: ${name}`);
  header.write(name, 0);
  header.write(type === DIRECTORY ? '0000700\0' : '0000600\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Sum of the header's bytes with its own checksum field read as spaces. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function field(header: Buffer, start: number, length: number): string {
  const bytes = header.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? length : end).trim();
}

function safeName(name: string): string {
  const path = normalize(name.replace(/^\/+/, ''));
  if (path.split(/[\\/]/).includes('..')) throw new Error(`The archive leads outside: ${name}`);
  return path;
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Hands out a stream of chunks in the portions asked for. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** At least one byte, at most `limit`. */
  async takeSome(limit: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) throw new Error('The archive ends too early');
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = size; left > 0;) {
      const part = await this.takeSome(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }
}
