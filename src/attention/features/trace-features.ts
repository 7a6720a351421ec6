import type { ToolId } from '../../core/index.js';
import type { FeatureMemory } from './feature-memory.js';
import {
  ERROR_TYPES,
  type FeatureValues,
  NO_FEATURES,
  TRACE_FEATURES,
  type TraceFeature,
} from './feature-names.js';
import type { ToolCounts } from './tool-counts.js';

/** What the features of a tool are asked for. */
export interface FeatureContext {
  /** Tools that were called, or are likely called too, each with how much it counts. */
  readonly around: readonly { readonly tool: ToolId; readonly weight: number }[];
  /** Runs with a similar intent: the tools that worked in each, and its share. */
  readonly similar: readonly SimilarTrace[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface SimilarTrace {
  readonly id: string;
  readonly share: number;
  readonly worked: readonly ToolId[];
}

/** A tool without a past is taken to work this often, and this many calls are needed to doubt it. */
const USUAL_SUCCESS = 0.9;
const PRIOR_CALLS = 10;
/** As if so many observations said that there is nothing special. */
const DOUBT = 3;
const DAY_MS = 24 * 3_600_000;

/** The features of tools in a context. Nothing is computed before a tool is asked for. */
export function traceFeatures(
  memory: FeatureMemory,
  context: FeatureContext,
): (tool: ToolId) => FeatureValues {
  const failedIn = context.similar.map(({ id }) => new Set(memory.failedIn(id)));
  return (tool) => {
    const counts = memory.of(tool);
    if (!counts) return NO_FEATURES;
    const values: Record<TraceFeature, number> = {
      ...ownFeatures(counts, memory, context.now),
      ...aroundFeatures(tool, counts, { memory, around: context.around }),
      similarSuccess: similarSuccess(tool, counts, context.similar, failedIn),
    };
    return Float64Array.from(TRACE_FEATURES, (name) => values[name]);
  };
}

/** The share of calls of a tool expected to work. */
function expectedSuccess({ calls, worked }: { calls: number; worked: number }): number {
  return (worked + USUAL_SUCCESS * PRIOR_CALLS) / (calls + PRIOR_CALLS);
}

function ownFeatures(counts: ToolCounts, memory: FeatureMemory, now: number) {
  const { failed, calls } = counts;
  const share = (at: number) => failed[at]! / (calls + PRIOR_CALLS);
  return {
    successRate: expectedSuccess(counts) - USUAL_SUCCESS,
    position: shrunk(counts.places - counts.placed / 2, counts.placed) * 2,
    recency: counts.lastAt > 0 ? 2 ** (-Math.max(0, now - counts.lastAt) / DAY_MS) : 0,
    frequency: Math.log1p(counts.runs) / Math.log1p(Math.max(1, memory.mostRuns)),
    duration: shrunk(counts.logMs - counts.timed * memory.usualLogMs, counts.timed) / 3,
    errorRecovery: counts.recovered / (counts.recoveries + DOUBT),
    timeout: share(0),
    permission: share(1),
    notFound: share(2),
    validation: share(3),
    network: share(4),
    unknown: share(ERROR_TYPES.length - 1),
    pathLength: shrunk(counts.left - counts.ended * memory.usualLeft, counts.ended) / 3,
    pathVariance: deviation(counts) / 3,
  };
}

/** The mean of so many observations, nearer to 0 the fewer there are. */
function shrunk(sum: number, count: number): number {
  return sum / (count + DOUBT);
}

function deviation({ left, leftSquared, ended }: ToolCounts): number {
  if (ended < 2) return 0;
  const variance = Math.max(0, leftSquared / ended - (left / ended) ** 2);
  return (Math.sqrt(variance) * ended) / (ended + DOUBT);
}

interface Around {
  readonly memory: FeatureMemory;
  readonly around: FeatureContext['around'];
}

function aroundFeatures(tool: ToolId, counts: ToolCounts, { memory, around }: Around) {
  const own = expectedSuccess(counts);
  let excess = 0;
  let weights = 0;
  let together = 0;
  for (const { tool: first, weight } of around) {
    if (first === tool) continue;
    const pair = memory.pair(first, tool);
    excess += (weight * (pair.delivered - own * pair.followed)) / (pair.followed + DOUBT);
    weights += weight;
    together = Math.max(together, (weight * pair.together) / (counts.runs + DOUBT));
  }
  return {
    contextSuccess: weights > 0 ? excess / weights : 0,
    cooccurrence: Math.min(1, together),
  };
}

/** Above 0 where it worked in similar runs more than usual; below 0 where it failed in them. */
function similarSuccess(
  tool: ToolId,
  counts: ToolCounts,
  similar: readonly SimilarTrace[],
  failedIn: readonly ReadonlySet<ToolId>[],
): number {
  const own = expectedSuccess(counts);
  return similar.reduce((sum, { share, worked }, at) => {
    const hasFailed = failedIn[at]!.has(tool);
    const hasWorked = worked.includes(tool);
    if (!hasFailed && !hasWorked) return sum;
    const success = hasWorked ? (hasFailed ? 0.5 : 1) : 0;
    return sum + share * (success - own);
  }, 0);
}
