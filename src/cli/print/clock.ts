/** The clock and the pause of commands: `performance` and `node:timers/promises` take 2 ms to load. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
