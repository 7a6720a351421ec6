import type { Invocation, PastCall } from '../../core/index.js';

/**
 * The calls of a run with their times. What code did with its own data is left out: it has no time of
 * its own. Times count from the first call, so that waiting for the sandbox does not show.
 */
export function invocationsOf(calls: readonly PastCall[]): readonly Invocation[] {
  const places = new Map<number, number>();
  const timed = calls.flatMap((call, place) => {
    if (call.startMs === undefined) return [];
    places.set(place, places.size);
    return [{ ...call, startMs: call.startMs }];
  });
  const first = timed.reduce((least, { startMs }) => Math.min(least, startMs), Infinity);
  return timed.map(({ tool, ok, startMs, ms = 0, parent }) => {
    const above = parent === undefined ? undefined : places.get(parent);
    return {
      tool,
      ok,
      startMs: startMs - first,
      ms,
      ...(above !== undefined && { parent: above }),
    };
  });
}
