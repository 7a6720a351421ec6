import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** How long the loop of this thread kept its clients waiting. */
export interface LoopPauses {
  readonly longestMs: number;
  /** The 99.9th percentile. */
  readonly p999Ms: number;
  readonly looks: number;
}

/** A timer fires this often; each delay of it is one look. */
const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;

let histogram: IntervalHistogram | undefined;

/** Pauses since the last time it was asked; the first time begins to look. */
export function takeLoopPauses(): LoopPauses {
  if (!histogram) {
    histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
  }
  const { count, max } = histogram;
  const pauses = {
    longestMs: count === 0 ? 0 : max / NANOSECONDS_PER_MS,
    p999Ms: count === 0 ? 0 : histogram.percentile(99.9) / NANOSECONDS_PER_MS,
    looks: count,
  };
  histogram.reset();
  return pauses;
}
