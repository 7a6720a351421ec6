/**
 * Weights that never saw the set they are shown on, by `npm run bench -- plan-weights`. Confidence: fitted
 * to the other sets. Next steps: to ultratool, tau2, and the other one of livemcp and toolathlon, at most
 * 150 questions of each, before the ranking had its present weights. Weights of members and links are
 * those that ship; `plan-weights` shows what fits that never saw a set do. Which signals there are, and
 * the constants beside the weights, were chosen with these sets in view.
 */
import { DEFAULT_MODELS, type Models } from '../../src/suggest/learn/models.js';

type LeftOut = Partial<Record<'next' | 'confidence', readonly number[]>>;

const WITHOUT: Readonly<Record<string, LeftOut>> = {
  ultratool: { confidence: [0.86, 0.68, 0.27, -3] },
  toollinkos: { confidence: [0.76, 0.75, 0.22, -3] },
  traject: { confidence: [0.76, 0.65, 0.25, -3] },
  nestful: { confidence: [0.78, 0.72, 0.26, -3] },
  livemcp: { next: [0.65, 0.47, -0.15, 1.04, 0.95, 0.48, 1.2, -0.72, 0.22, -0.32] },
  toolathlon: { next: [0.59, 0.53, 0.1, 1.13, 0.93, 1.32, 0.97, -0.78, 0.29, 0.16] },
};

/** What would ship if a set did not exist. */
export function modelsWithout(set: string): Models {
  const { next, confidence } = WITHOUT[set] ?? {};
  return {
    ...DEFAULT_MODELS,
    ...(next && { next: Float64Array.from(next) }),
    ...(confidence && { confidence: Float64Array.from(confidence) }),
  };
}
