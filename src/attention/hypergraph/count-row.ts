/** Counts by small integers, sorted by key. Eight bytes each: a map takes five times as much. */
export class CountRow {
  #keys = new Uint32Array(4);
  #counts = new Uint32Array(4);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number): number {
    const at = this.#placeOf(key);
    return this.#keys[at] === key && at < this.#size ? this.#counts[at]! : 0;
  }

  /** A count that falls to 0 is removed. */
  add(key: number, by: 1 | -1): void {
    const at = this.#placeOf(key);
    const isKnown = at < this.#size && this.#keys[at] === key;
    if (!isKnown) {
      if (by > 0) this.#insert(at, key);
      return;
    }
    this.#counts[at]! += by;
    if (this.#counts[at] === 0) this.#remove(at);
  }

  forEach(visit: (key: number, count: number) => void): void {
    for (let at = 0; at < this.#size; at++) visit(this.#keys[at]!, this.#counts[at]!);
  }

  #placeOf(key: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(at: number, key: number): void {
    if (this.#size === this.#keys.length) this.#grow();
    this.#keys.copyWithin(at + 1, at, this.#size);
    this.#counts.copyWithin(at + 1, at, this.#size);
    this.#keys[at] = key;
    this.#counts[at] = 1;
    this.#size += 1;
  }

  #remove(at: number): void {
    this.#keys.copyWithin(at, at + 1, this.#size);
    this.#counts.copyWithin(at, at + 1, this.#size);
    this.#size -= 1;
  }

  #grow(): void {
    const length = Math.ceil(this.#keys.length * 1.5);
    const [keys, counts] = [new Uint32Array(length), new Uint32Array(length)];
    keys.set(this.#keys);
    counts.set(this.#counts);
    this.#keys = keys;
    this.#counts = counts;
  }
}
