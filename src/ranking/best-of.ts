/** The best of many, in order, without sorting the rest. Of equal values, `comesFirst` decides. */
export class BestOf<Item> {
  readonly #limit: number;
  readonly #comesFirst: (one: Item, other: Item) => boolean;
  readonly #items: Item[] = [];
  readonly #values: number[] = [];

  constructor(limit: number, comesFirst: (one: Item, other: Item) => boolean) {
    this.#limit = limit;
    this.#comesFirst = comesFirst;
  }

  /** Best first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  /** In the order of `items`. */
  get values(): readonly number[] {
    return this.#values;
  }

  /** Asks only whether an item fits that would be among the best. */
  offer(item: Item, value: number, fits: (item: Item) => boolean = () => true): void {
    const size = this.#items.length;
    if (size === this.#limit && !this.#isBefore(item, value, size - 1)) return;
    if (!fits(item)) return;
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBefore(item, value, middle)) high = middle;
      else low = middle + 1;
    }
    this.#items.splice(low, 0, item);
    this.#values.splice(low, 0, value);
    if (size < this.#limit) return;
    this.#items.pop();
    this.#values.pop();
  }

  #isBefore(item: Item, value: number, place: number): boolean {
    const other = this.#values[place]!;
    return value === other ? this.#comesFirst(item, this.#items[place]!) : value > other;
  }
}
