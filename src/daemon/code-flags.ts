/**
 * Flags of V8, which a process gets without compiling all code again. V8 refuses code that was compiled
 * under other flags, and with it what Node keeps compiled of its own modules. So flags rest while code is
 * loaded or kept. V8 reads the sizes of a heap when the process or a thread starts: resting, they count
 * for the heap that is there.
 */
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

interface CodeFlag {
  readonly use: string;
  /** The default of V8. */
  readonly rest: string;
  /** V8 sets it with another one if that is given at the start of the process. */
  readonly isImplied?: true;
}
export type CodeFlags = readonly CodeFlag[];

const BASELINE_CODE: CodeFlag = { use: '--always-sparkplug', rest: '--no-always-sparkplug' };

/** A relay is young in every session: baseline code at once is what it will ever have. */
export const RELAY_FLAGS: CodeFlags = [BASELINE_CODE];

export const DAEMON_FLAGS: CodeFlags = [
  // Most sessions end before the optimizer has seen enough.
  BASELINE_CODE,
  // The optimized code of the database takes 60 MB and never pays off.
  { use: '--liftoff-only', rest: '--no-liftoff-only' },
  { use: '--no-wasm-tier-up', rest: '--wasm-tier-up', isImplied: true },
  { use: '--no-wasm-dynamic-tiering', rest: '--wasm-dynamic-tiering', isImplied: true },
  // V8 lets a heap grow to several times what is in use before it collects, in each thread: a burst of
  // calls took 170 MB that way. `npm run bench -- gateway` shows memory and calls a second.
  { use: '--max-semi-space-size=8', rest: '--max-semi-space-size=0' },
  // So small a young generation is not worth a second thread: `npm run bench -- gateway`.
  { use: '--no-parallel-scavenge', rest: '--parallel-scavenge' },
  { use: '--initial-old-space-size=40', rest: '--initial-old-space-size=0' },
  { use: '--heap-growing-percent=60', rest: '--heap-growing-percent=0' },
];

/** To start a process with. */
export function flagArguments(flags: CodeFlags): readonly string[] {
  return flags.filter(({ isImplied }) => !isImplied).map(({ use }) => use);
}

export function useFlags(flags: CodeFlags): void {
  for (const { use } of flags) setFlagsFromString(use);
}

export function restFlags(flags: CodeFlags): void {
  for (const { rest } of flags) setFlagsFromString(rest);
}

/** Names what V8 accepts now: code of the same version, under the same flags, for the same processor. */
export function codeTag(): string {
  return cachedDataVersionTag().toString(36);
}
