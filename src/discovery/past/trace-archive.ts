/**
 * The newest executions in compact form: as objects, 20,000 of them would take a hundred megabytes,
 * and PML reads them only to learn or explain. They are packed in blocks outside of the object heap
 * and unpacked block by block while they are read.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import type { ExecutionTrace } from '../../core/index.js';

/** Large enough to pack well, small enough to unpack quickly. */
const BLOCK = 64;
/** Names and keys repeat so much that the fastest compression is enough. */
const PACKING = { level: 1 };

export class TraceArchive {
  readonly #capacity: number;
  /** Full ones, oldest first. */
  #blocks: readonly Buffer[] = [];
  /** How many of the oldest block are already evicted. */
  #forgotten = 0;
  /** Those that do not fill a block yet. */
  #open: readonly ExecutionTrace[] = [];
  /** Oldest first, with how many were added before. */
  readonly #places = new Map<string, number>();
  #added = 0;

  constructor({ capacity }: { readonly capacity: number }) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#places.size;
  }

  /** The size of the packed ones. */
  get packedBytes(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** None of them may be stored already. If there are too many, the oldest are evicted. */
  add(traces: readonly ExecutionTrace[]): void {
    for (const { id } of traces) this.#places.set(id, this.#added++);
    let open = [...this.#open, ...traces];
    for (; open.length >= BLOCK; open = open.slice(BLOCK)) {
      this.#blocks = [...this.#blocks, pack(open.slice(0, BLOCK))];
    }
    this.#open = open;
    this.#forgetOldest();
  }

  /** A snapshot, oldest first; later additions and evictions do not change it. */
  all(): Iterable<ExecutionTrace> {
    const [blocks, open, forgotten] = [this.#blocks, this.#open, this.#forgotten];
    return { [Symbol.iterator]: () => unpackAll(blocks, open, forgotten) };
  }

  get(id: string): ExecutionTrace | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const fromEnd = this.#added - place;
    if (fromEnd <= this.#open.length) return this.#open.at(-fromEnd);
    const before = place - (this.#added - this.#open.length - this.#blocks.length * BLOCK);
    return unpack(this.#blocks[Math.floor(before / BLOCK)]!)[before % BLOCK];
  }

  #forgetOldest(): void {
    for (const id of this.#places.keys()) {
      if (this.#places.size <= this.#capacity) break;
      this.#places.delete(id);
      this.#forgotten += 1;
    }
    const gone = Math.min(this.#blocks.length, Math.floor(this.#forgotten / BLOCK));
    if (gone > 0) this.#blocks = this.#blocks.slice(gone);
    this.#forgotten -= gone * BLOCK;
  }
}

function* unpackAll(
  blocks: readonly Buffer[],
  open: readonly ExecutionTrace[],
  forgotten: number,
): Generator<ExecutionTrace, undefined> {
  let left = forgotten;
  for (const traces of [...blocks, open]) {
    const some = Buffer.isBuffer(traces) ? unpack(traces) : traces;
    yield* some.slice(left);
    left = Math.max(0, left - some.length);
  }
  return undefined;
}

function pack(traces: readonly ExecutionTrace[]): Buffer {
  return deflateRawSync(JSON.stringify(traces), PACKING);
}

function unpack(block: Buffer): readonly ExecutionTrace[] {
  const traces = JSON.parse(inflateRawSync(block).toString()) as readonly ExecutionTrace[];
  return traces.map((trace) => ({ ...trace, at: new Date(trace.at) }));
}
