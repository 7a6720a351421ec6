/** The order of ids where nothing else decides. */
export function compareIds(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
