/**
 * The newest executions, held small: as objects 20,000 of them would take a hundred megabytes, and
 * they are read only when something is learned or explained. They lie packed in blocks outside of the
 * heap of objects, and are unpacked block by block while somebody reads.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import type { ExecutionTrace } from '../../core/index.js';

/** Large enough to pack well, small enough that one is unpacked in a moment. */
const BLOCK = 64;
/** Names and keys repeat so much that the quickest way to pack is enough. */
const PACKING = { level: 1 };

export class TraceArchive {
  readonly #capacity: number;
  /** Full ones, oldest first. */
  #blocks: readonly Buffer[] = [];
  /** Of the oldest block, how many are forgotten already. */
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

  /** What the packed ones take. */
  get packedBytes(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** None of them may be there already. The oldest are forgotten when there are too many. */
  add(traces: readonly ExecutionTrace[]): void {
    for (const { id } of traces) this.#places.set(id, this.#added++);
    let open = [...this.#open, ...traces];
    for (; open.length >= BLOCK; open = open.slice(BLOCK)) {
      this.#blocks = [...this.#blocks, pack(open.slice(0, BLOCK))];
    }
    this.#open = open;
    this.#forgetOldest();
  }

  /** As they are now, oldest first; what is added or forgotten later changes nothing of it. */
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
