import type { SpeculationLedger } from './episode.js';

/** Where thresholds start before outcomes move them. */
const THRESHOLD = 0.92;

/** Thresholds that stay where they start, and take a confidence as it is. */
export const FIXED_THRESHOLDS: SpeculationLedger = {
  thresholdFor: () => THRESHOLD,
  corrected: (_situation, { confidence }) => confidence,
  settled: () => {},
};
