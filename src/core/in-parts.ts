/** Hands on what comes in arrays of so many, the last one with the rest. */
export function* inParts<Item>(items: Iterable<Item>, size: number): Generator<Item[], undefined> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
  return undefined;
}
