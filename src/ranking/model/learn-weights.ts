import type { FeatureValues } from '../../attention/index.js';
import {
  fitChoice,
  type FoundExample,
  type Grouped,
  likeliest,
  weigh,
} from '../../learning/index.js';
import { type Signal, SIGNALS, type SignalValues } from '../signals.js';

/**
 * One past request, as if nothing like it had ever been asked: what spoke for each candidate, and which of them
 * served it.
 */
export interface Example extends FoundExample, Grouped {
  readonly candidates: readonly SignalValues[];
  /**
   * Whether each candidate served some other request; for each draw another one. Weights that learn from
   * this instead are a control: they know which tools are usual and nothing about requests.
   */
  readonly servedOthers?: readonly (readonly boolean[])[];
  /** What traces show about each candidate. */
  readonly features?: readonly FeatureValues[];
  /** The same request asked with what was nearly the same and came before it, if there was any. */
  readonly repeat?: FoundExample;
}

/** What a control learns of an example. Without another answer it learns that nothing was right. */
export function misledBy({ servedOthers, isRight }: Example, draw: number): readonly boolean[] {
  return servedOthers?.[draw - 1] ?? isRight.map(() => false);
}

export interface LearnOptions {
  /** What the weights are where experience says nothing. What has none is not used at all. */
  readonly prior: SignalValues;
  /** Called between steps: learning must not hold anything up. */
  readonly pause: () => Promise<void>;
}

/**
 * What speaks for a tool whatever is asked for may decide between equals, but no more: where all of
 * the past is of one kind, learning would otherwise answer everything with it.
 */
const LIMITS: Readonly<Partial<Record<Signal, number>>> = { uses: 0.6, serverUses: 0.6 };

/** Signals whose weight is a decision of ours and not a matter of experience. */
const FIXED: ReadonlySet<Signal> = new Set([
  'named',
  'reliability',
  'repeat',
  'unasked',
  'outdated',
]);

/** As if so many requests spoke for the shipped weights: 50 requests move them little. */
const PRIOR_EXAMPLES = 10;

/** What is less likely than so many others tells little, and takes most of the time. */
const MOST_LEARNED_FROM = 60;

/**
 * Finds weights under which the tools that served a request are likelier than the other candidates
 * (softmax over the candidates, Adam), held to the prior the more the fewer examples there are.
 */
export async function learnWeights(
  examples: readonly Example[],
  { prior, pause }: LearnOptions,
): Promise<SignalValues> {
  return fitChoice(
    examples.map((one) => likeliest(one, (values) => weigh(values, prior), MOST_LEARNED_FROM)),
    {
      prior,
      pause,
      priorExamples: PRIOR_EXAMPLES,
      isFixed: (at) => FIXED.has(SIGNALS[at]!) || prior[at] === 0,
      limit: (at) => LIMITS[SIGNALS[at]!] ?? Infinity,
    },
  );
}
