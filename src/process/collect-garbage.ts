import { setTimeout as delay } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Each pass moves only some megabytes together; pages are given back when nothing is left on them. */
const MOST_PASSES = 6;
/** A pass that frees less than this share of the heap is the last. */
const LEAST_GAIN = 0.03;
/** Between passes others have their turn. */
const PAUSE_MS = 100;

let collect: (() => void) | undefined;

/**
 * Gives memory of this thread that nothing needs back to the system. V8 does so only while a program
 * allocates: one that rests after much work would keep what the work took. Stops all else for some
 * tens of milliseconds at a time, so it is for moments in which nothing is to be done.
 */
export async function collectGarbage(): Promise<void> {
  collect ??= createCollector();
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = heapBytes();
    collect();
    if (heapBytes() > before * (1 - LEAST_GAIN) && pass > 0) return;
    await delay(PAUSE_MS);
  }
}

/** The flag counts for contexts that are made from now on. */
function createCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** What the heap of this thread takes, used or not. Needs no file, as `process.memoryUsage` does. */
export function heapBytes(): number {
  return getHeapStatistics().total_heap_size;
}
