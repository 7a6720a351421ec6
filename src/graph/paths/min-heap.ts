/** Numbered things in order of their cost. Of equal costs any may come first. */
export class MinHeap {
  readonly #costs: number[] = [];
  readonly #things: number[] = [];

  push(thing: number, cost: number): void {
    const costs = this.#costs;
    const things = this.#things;
    let at = things.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (costs[up]! <= cost) break;
      costs[at] = costs[up]!;
      things[at] = things[up]!;
      at = up;
    }
    costs[at] = cost;
    things[at] = thing;
  }

  /** The least cost of all; infinite when nothing is left. */
  get leastCost(): number {
    return this.#costs[0] ?? Infinity;
  }

  /** Takes out the thing of the least cost. */
  pop(): number | undefined {
    const costs = this.#costs;
    const things = this.#things;
    const top = things[0];
    if (top === undefined) return undefined;
    const cost = costs.pop()!;
    const thing = things.pop()!;
    const size = things.length;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= size) break;
      if (down + 1 < size && costs[down + 1]! < costs[down]!) down += 1;
      if (costs[down]! >= cost) break;
      costs[at] = costs[down]!;
      things[at] = things[down]!;
      at = down;
    }
    costs[at] = cost;
    things[at] = thing;
    return top;
  }
}
