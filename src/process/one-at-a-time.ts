/** Hooks of the module loader, in a thread of their own: one file is read after the other. */
type Load = (url: string, context: object) => Promise<object>;

let before: Promise<unknown> = Promise.resolve();

export function load(url: string, context: object, next: Load): Promise<object> {
  const loaded = before.then(() => next(url, context));
  before = loaded.catch(() => {
    // Whoever imports it hears of it; the next file has its turn.
  });
  return loaded;
}
