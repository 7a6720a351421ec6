/** Items closer together than this belong to one burst. */
const LULL_MS = 10;
/** Even in a burst without end, no item waits longer, and no more items wait. */
const LONGEST_WAIT_MS = 2_000;
const MOST_WAITING = 2_000;
/** Others get their turn after this long. */
const SLICE_MS = 5;

/**
 * Work that no client waits for. A lone item is taken after everything that is already queued; the
 * items of a burst are taken after the burst, a few milliseconds at a time.
 */
export class LullQueue<Item> {
  readonly #take: (item: Item) => void;
  readonly #now: () => number;
  #items: Item[] = [];
  #isScheduled = false;
  #addedAt = Number.NEGATIVE_INFINITY;
  #waitsSince = 0;

  /** Taking an item must not throw. */
  constructor(take: (item: Item) => void, now = () => performance.now()) {
    this.#take = take;
    this.#now = now;
  }

  add(item: Item): void {
    const now = this.#now();
    if (this.#items.length === 0) this.#waitsSince = now;
    const isBurst = now - this.#addedAt < LULL_MS;
    this.#addedAt = now;
    this.#items.push(item);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (isBurst) this.#look();
    else setImmediate(() => this.#work());
  }

  /** Takes all items now. */
  flush(): void {
    for (const item of this.#items.splice(0)) this.#take(item);
  }

  #look(): void {
    setTimeout(() => {
      if (this.#isCalm() || this.#mustWork()) this.#work();
      else this.#look();
    }, LULL_MS);
  }

  #isCalm(): boolean {
    return this.#now() - this.#addedAt >= LULL_MS;
  }

  #mustWork(): boolean {
    const isLate = this.#now() - this.#waitsSince >= LONGEST_WAIT_MS;
    return isLate || this.#items.length >= MOST_WAITING;
  }

  /** Takes what waits now; a burst that begins meanwhile interrupts it, unless it must be done. */
  #work(left = this.#items.length, isForced = this.#mustWork()): void {
    const until = this.#now() + SLICE_MS;
    let taken = 0;
    for (; this.#items.length > 0 && this.#now() < until; taken += 1) {
      // Out of the queue first: taking it may flush the queue.
      const [item] = this.#items.splice(0, 1) as [Item];
      this.#take(item);
    }
    this.#isScheduled = this.#items.length > 0;
    if (!this.#isScheduled) return;
    if (taken < left && (isForced || this.#isCalm())) {
      setImmediate(() => this.#work(left - taken, isForced));
      return;
    }
    if (taken >= left) this.#waitsSince = this.#now();
    this.#look();
  }
}
