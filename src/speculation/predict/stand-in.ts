/** A character of the private use area: no server sends it, and no tool is called with it. */
const MARK = '\uE0F1';

/** Stands for a value that was not kept: the same wherever that value was. */
export function standIn(call: number, field: string): string {
  return `${MARK}${call} ${field}`;
}

export function isStandIn(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(MARK);
}
