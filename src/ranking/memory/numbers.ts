/** Gives keys small numbers, the same number to the same key while it is held. */
export class Numbers {
  readonly #numberOf = new Map<string, number>();
  readonly #holders: number[] = [];
  readonly #free: number[] = [];

  /** How many keys are held. */
  get size(): number {
    return this.#numberOf.size;
  }

  /** All numbers given so far are below it. */
  get bound(): number {
    return this.#holders.length;
  }

  get(key: string): number | undefined {
    return this.#numberOf.get(key);
  }

  /** The keys, held longest first. */
  keys(): Iterable<string> {
    return this.#numberOf.keys();
  }

  /** Needs one `letGo` for each `take`. */
  take(key: string): number {
    const known = this.#numberOf.get(key);
    if (known !== undefined) {
      this.#holders[known]! += 1;
      return known;
    }
    const number = this.#free.pop() ?? this.#holders.length;
    this.#holders[number] = 1;
    this.#numberOf.set(key, number);
    return number;
  }

  /** Whether the key is no longer held; its number may then be reused. */
  letGo(key: string): boolean {
    const number = this.#numberOf.get(key);
    if (number === undefined) return false;
    this.#holders[number]! -= 1;
    if (this.#holders[number]! > 0) return false;
    this.#numberOf.delete(key);
    this.#free.push(number);
    return true;
  }
}
