import {
  type FeatureExample,
  type FeatureValues,
  learnFeatures,
  type LearnedFeatures,
} from '../../attention/index.js';
import { qualityOf, weigh, worth } from '../../learning/index.js';
import type { SignalValues } from '../signals.js';
import { type Example, misledBy } from './learn-weights.js';

const AS_IT_IS = Float64Array.of(1);

/** Learns what trace features add to a ranking that is learned already. */
export async function learnTraceFeatures(
  folds: readonly (readonly Example[])[],
  weightsOf: (fold: number) => SignalValues,
  pause: () => Promise<void>,
): Promise<LearnedFeatures> {
  const traced: Example[] = [];
  const examples: FeatureExample[] = [];
  for (const [fold, held] of folds.entries()) {
    for (const one of held) {
      if (one.features) {
        traced.push(one);
        examples.push(asExample(one, one.features, weightsOf(fold)));
      }
      await pause();
    }
  }
  const misled = (draw: number) => traced.map((one) => misledBy(one, draw));
  return learnFeatures(examples, { fit: 'choice', misled, pause });
}

function asExample(
  { group, candidates, isRight, wanted }: Example,
  features: readonly FeatureValues[],
  weights: SignalValues,
): FeatureExample {
  return {
    group,
    scores: candidates.map((values) => weigh(values, weights)),
    features,
    isRight,
    quality: (scores) => {
      const scored = scores.map((score) => Float64Array.of(score));
      return worth(qualityOf({ candidates: scored, isRight, wanted }, AS_IT_IS));
    },
  };
}

/** Examples and weights with the features behind the signals, as calibration reads them. */
export function withFeatures(example: Example, values: readonly FeatureValues[]): Example {
  const candidates = example.candidates.map((signals, at) => joined(signals, values[at]!));
  return { ...example, candidates };
}

export function joined(signals: SignalValues, features: FeatureValues): Float64Array {
  return Float64Array.from([...signals, ...features]);
}
