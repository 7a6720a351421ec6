/** Module loader hooks, in their own thread: they load one file after the other. */
type Load = (url: string, context: object) => Promise<object>;

let before: Promise<unknown> = Promise.resolve();

export async function load(url: string, context: object, next: Load): Promise<object> {
  const mine = loadAfter(before, () => next(url, context));
  before = mine;
  return mine;
}

async function loadAfter(earlier: Promise<unknown>, read: () => Promise<object>): Promise<object> {
  // The importer of the earlier file gets its failure; this file is loaded either way.
  await Promise.allSettled([earlier]);
  return read();
}
