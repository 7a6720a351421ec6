import type { RunId } from '../core/index.js';

/** Something that waits to be written. */
export interface Pending {
  readonly run: RunId;
  readonly bytes: number;
}

interface Waiting<Item> {
  /** To be written together with its neighbours, or else something to be done alone. */
  readonly work: Item | (() => Promise<void>);
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One write takes no more than this, unless a single append is larger. */
const GROUP_BYTES = 8 << 20;

/**
 * One write at a time; what comes in the meantime shares the next one. When a write fails, what
 * already waits for the same runs fails with it: it was meant to follow what is now not there.
 */
export class GroupCommit<Item extends Pending> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #queue: Waiting<Item>[] = [];
  #working: Promise<void> | undefined;

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  add(item: Item): Promise<void> {
    return this.#enqueue(item);
  }

  /** Does something between two writes. */
  alone(task: () => Promise<void>): Promise<void> {
    return this.#enqueue(task);
  }

  /** Resolves when nothing is under way and nothing waits. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  #enqueue(work: Waiting<Item>['work']): Promise<void> {
    const { promise, resolve, reject } = withResolvers();
    this.#queue.push({ work, resolve, reject });
    this.#working ??= this.#work();
    return promise;
  }

  async #work(): Promise<void> {
    // Whatever is added in the same moment shares the first write.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#step();
    this.#working = undefined;
  }

  async #step(): Promise<void> {
    const first = this.#queue[0]!;
    if (typeof first.work === 'function') {
      this.#queue.shift();
      await first.work().then(first.resolve, first.reject);
      return;
    }
    const group = this.#takeGroup();
    const items = group.map(({ work }) => work as Item);
    try {
      await this.#write(items);
    } catch (error) {
      const runs = new Set(items.map(({ run }) => run));
      const hangsOn = ({ work }: Waiting<Item>) => typeof work === 'object' && runs.has(work.run);
      const failed = [...group, ...this.#queue.filter(hangsOn)];
      this.#queue = this.#queue.filter((one) => !hangsOn(one));
      for (const { reject } of failed) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  }

  #takeGroup(): readonly Waiting<Item>[] {
    let bytes = 0;
    let count = 0;
    for (const { work } of this.#queue) {
      if (typeof work === 'function') break;
      bytes += work.bytes;
      if (count > 0 && bytes > GROUP_BYTES) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }
}

/** `Promise.withResolvers` is not in Node 20. */
function withResolvers(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
} {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
