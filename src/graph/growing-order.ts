/**
 * An order of nodes that is kept while edges are added to it, after Pearce and Kelly: an edge that
 * agrees with the order costs nothing, another one only a look at the nodes between its ends.
 */
export class GrowingOrder {
  readonly #places = new Map<string, number>();
  readonly #after = new Map<string, string[]>();
  readonly #before = new Map<string, string[]>();

  /** Adds an edge. If it would close a cycle, adds nothing and says so. */
  add(from: string, to: string): boolean {
    const [low, high] = [this.#placeOf(to), this.#placeOf(from)];
    if (low === high) return false;
    if (low < high) {
      const later = this.#reached(to, this.#after, (place) => place <= high);
      if (later.has(from)) return false;
      const earlier = this.#reached(from, this.#before, (place) => place >= low);
      this.#place([...this.#inOrder(earlier), ...this.#inOrder(later)]);
    }
    append(this.#after, from, to);
    append(this.#before, to, from);
    return true;
  }

  #placeOf(node: string): number {
    const known = this.#places.get(node);
    if (known !== undefined) return known;
    this.#places.set(node, this.#places.size);
    return this.#places.size - 1;
  }

  #reached(
    start: string,
    ways: ReadonlyMap<string, readonly string[]>,
    isBetween: (place: number) => boolean,
  ): ReadonlySet<string> {
    const reached = new Set([start]);
    // Grows while it is read.
    for (const node of reached) {
      for (const next of ways.get(node) ?? [])
        if (isBetween(this.#placeOf(next))) reached.add(next);
    }
    return reached;
  }

  #inOrder(nodes: ReadonlySet<string>): readonly string[] {
    return [...nodes].toSorted((a, b) => this.#placeOf(a) - this.#placeOf(b));
  }

  /** Gives nodes, in this order, the places they have together. */
  #place(nodes: readonly string[]): void {
    const places = nodes.map((node) => this.#placeOf(node)).toSorted((a, b) => a - b);
    for (const [turn, node] of nodes.entries()) this.#places.set(node, places[turn] as number);
  }
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
