/** Lets pending work go first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
