/** Numbered things in order of their cost. Of equal costs any may come first. */
export class MinHeap {
  readonly #costs: number[] = [];
  readonly #things: number[] = [];

  get size(): number {
    return this.#things.length;
  }

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

  pop(): { readonly thing: number; readonly cost: number } | undefined {
    const costs = this.#costs;
    const things = this.#things;
    if (things.length === 0) return undefined;
    const top = { thing: things[0]!, cost: costs[0]! };
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
