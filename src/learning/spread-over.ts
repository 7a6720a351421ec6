/** So many of the items at most, evenly over all of them, and always the same ones. */
export function spreadOver<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  const count = Math.min(items.length, Math.floor(most));
  return Array.from({ length: count }, (_, place) => items[Math.floor(place * step)]!);
}
