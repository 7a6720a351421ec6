import type { ErrorType } from '../../core/index.js';

/** The kinds of failure, in the order of their features. */
export const ERROR_TYPES: readonly ErrorType[] = [
  'timeout',
  'permission',
  'not_found',
  'validation',
  'network',
  'unknown',
];

/**
 * What traces show about a tool beside what it is for. Every value is 0 where nothing is known, so that a
 * tool without a past is neither preferred nor avoided. Order matters: weights refer to it.
 */
export const TRACE_FEATURES = [
  /** The share of its calls that worked, against the usual share. */
  'successRate',
  /** The same share after the tools of the context, against its own share. */
  'contextSuccess',
  /** The same share in runs with a similar intent, against its own share. */
  'similarSuccess',
  /** The share of its runs that also called a tool of the context. */
  'cooccurrence',
  /** Where in a run it is called: below 0 at the beginning, above 0 at the end. */
  'position',
  /** How recently it was called; 1 for now, halved every day. */
  'recency',
  /** How many runs called it, as a logarithm, against the tool that the most runs called. */
  'frequency',
  /** How long its calls take, as a logarithm, against the usual time. */
  'duration',
  /** How often it worked right after another tool had failed. */
  'errorRecovery',
  /** The share of its calls that failed in each way. */
  'timeout',
  'permission',
  'notFound',
  'validation',
  'network',
  'unknown',
  /** How many calls a run that succeeds makes after it, against the usual number. */
  'pathLength',
  /** How much that number varies. */
  'pathVariance',
] as const;

export type TraceFeature = (typeof TRACE_FEATURES)[number];

/** One number for each of `TRACE_FEATURES`. */
export type FeatureValues = Float64Array;

export const NO_FEATURES: FeatureValues = new Float64Array(TRACE_FEATURES.length);

/** Values or weights by name, as `trace.recency`; those that are 0 are left out. */
export function namedFeatures(
  values: FeatureValues = NO_FEATURES,
): Readonly<Record<string, number>> {
  const named = TRACE_FEATURES.map((name, at) => [`trace.${name}`, values[at]!] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== 0));
}
