import { type FeatureValues, traceFeatures } from '../attention/index.js';
import type { ToolId } from '../core/index.js';
import { weigh } from '../learning/index.js';
import type { Evidence } from './evidence.js';

/** How much trace features count, where they proved useful. */
export interface FeatureWeights {
  readonly members?: FeatureValues;
  readonly next?: FeatureValues;
}

type FeaturesOf = (tool: ToolId) => FeatureValues;
type Asked = Pick<Evidence, 'features' | 'likely' | 'similar' | 'now'>;

/** The likeliest tools are the context of a member; the latest steps that of a next step. */
const HOSTS = 8;
const STEPS = 5;
/** What an earlier step counts against the last one. */
const EARLIER = 0.5;

/** The features of tools as members of a plan; undefined if no traces are known. */
export function memberFeatures(evidence: Asked): FeaturesOf | undefined {
  const around = evidence.likely
    .slice(0, HOSTS)
    .map(({ tool, probability }) => ({ tool, weight: probability }));
  return featuresIn(evidence, around);
}

/** The features of tools as the step after `done`. */
export function nextFeatures(done: readonly ToolId[], evidence: Asked): FeaturesOf | undefined {
  const recent = [...new Set(done.toReversed())].slice(0, STEPS);
  const around = recent.map((tool, place) => ({ tool, weight: place === 0 ? 1 : EARLIER }));
  return featuresIn(evidence, around);
}

/** What features add to the score of each tool: nothing while no weights are learned. */
export function addedBy(
  weights: FeatureValues | undefined,
  featuresOf: () => FeaturesOf | undefined,
): ((tool: ToolId) => number) | undefined {
  const features = weights && featuresOf();
  return features && ((tool) => weigh(features(tool), weights));
}

function featuresIn(
  { features, similar, now }: Asked,
  around: readonly { readonly tool: ToolId; readonly weight: number }[],
): FeaturesOf | undefined {
  if (!features) return undefined;
  return traceFeatures(features, {
    around,
    similar: similar.map(({ plan, share }) => ({ id: plan.id, share, worked: plan.tools })),
    now,
  });
}
