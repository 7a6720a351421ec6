/**
 * Background work of this process takes turns: learning, indexing and imports run at the same time,
 * and if each held the loop for a moment in the same turn, a request would wait for all of them.
 */

/** Background work goes on without a turn of the loop until it has held the loop for this long. */
const SLICE_MS = 8;

/** The real one: a clock that a test replaces must not stop all background work after it. */
const nextTurn = setImmediate;

const ENDED = Promise.resolve();
const waiting: (() => void)[] = [];
let sliceBegan = -Infinity;

/**
 * Lets requests go first, if background work has held the loop for a while. Cheap enough to be
 * called after every item of a list. Only one waiting caller goes on per turn of the loop.
 */
export function pause(): Promise<void> {
  const sinceMs = performance.now() - sliceBegan;
  if (sinceMs >= 0 && sinceMs < SLICE_MS) return ENDED;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) nextTurn(nextSlice);
  });
}

function nextSlice(): void {
  const goOn = waiting.shift();
  if (waiting.length > 0) nextTurn(nextSlice);
  sliceBegan = performance.now();
  goOn?.();
}
