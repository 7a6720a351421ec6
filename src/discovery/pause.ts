/** Lets everybody else go first. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
