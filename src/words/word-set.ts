/** The words of some lists. A list is a text with blanks between its words. */
export function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}
