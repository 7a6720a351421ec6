/**
 * Weights that never saw the set they are shown on, by `npm run bench -- plan-weights`. Confidence: fitted
 * to the other sets. Next steps: to tau2 and the other one of livemcp and toolathlon, at most 150
 * questions of each; what searches listed is in livemcp only, so these weights are 1. Weights of members and links are
 * those that ship; `plan-weights` shows what fits that never saw a set do. Which signals there are, and
 * the constants beside the weights, were chosen with these sets in view.
 */
import { DEFAULT_MODELS, type Models } from '../../src/suggest/learn/models.js';
import { NEXT_SIGNALS } from '../../src/suggest/next/next-signals.js';

type LeftOut = Partial<Record<'next' | 'confidence', readonly number[]>>;

const WITHOUT: Readonly<Record<string, LeftOut>> = {
  ultratool: { confidence: [0.86, 0.68, 0.27, -3] },
  toollinkos: { confidence: [0.76, 0.75, 0.22, -3] },
  traject: { confidence: [0.76, 0.65, 0.25, -3] },
  nestful: { confidence: [0.78, 0.72, 0.26, -3] },
  livemcp: {
    next: [
      0.6, 0.2, -0.06, 0.38, 0.37, 0.2, 1.4, -0.11, -0.24, -0.34, -0.21, 0.67, 0.33, 0.24, 0.1,
      0.12, 0.02, -0.11, 0.21, 0.1, 0.18, 1, 1, 1,
    ],
  },
  toolathlon: {
    next: [
      0.3, 0.43, -0.14, 0.42, 0.46, 0.66, 0.49, -0.33, -0.53, 0.14, 0.03, 0.12, -0.01, 0.28, 0.06,
      0.14, 0.3, 0.22, 0.08, 0.63, 0.13, 1, 1, 1,
    ],
  },
};

/** What would ship if a set did not exist. */
export function modelsWithout(set: string): Models {
  const { next, confidence } = WITHOUT[set] ?? {};
  return {
    ...DEFAULT_MODELS,
    ...(next && { next: Float64Array.from(NEXT_SIGNALS, (_, at) => next[at] ?? 0) }),
    ...(confidence && { confidence: Float64Array.from(confidence) }),
  };
}
