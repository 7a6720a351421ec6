/** `items.map(make)`, with a pause after each: thousands of examples must not hold anything up. */
export async function mapInSlices<Item, Made>(
  items: readonly Item[],
  make: (item: Item, at: number) => Made,
  pause: () => Promise<void>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [at, item] of items.entries()) {
    made.push(make(item, at));
    await pause();
  }
  return made;
}
