import { fitChoice, type FoundExample, type Grouped } from '../../learning/index.js';
import { type Signal, SIGNALS, type SignalValues } from '../signals.js';

/** One past request: what spoke for each candidate, and which of them served it. */
export interface Example extends FoundExample, Grouped {
  readonly candidates: readonly SignalValues[];
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
const LIMITS: Readonly<Partial<Record<Signal, number>>> = { uses: 0.4, serverUses: 0.4 };

/** Signals whose weight is a decision of ours and not a matter of experience. */
const FIXED: ReadonlySet<Signal> = new Set(['named', 'reliability']);

/**
 * Finds weights under which the tools that served a request are likelier than the other candidates
 * (softmax over the candidates, Adam), held to the prior the more the fewer examples there are.
 */
export async function learnWeights(
  examples: readonly Example[],
  { prior, pause }: LearnOptions,
): Promise<SignalValues> {
  return fitChoice(examples, {
    prior,
    pause,
    isFixed: (at) => FIXED.has(SIGNALS[at]!) || prior[at] === 0,
    limit: (at) => LIMITS[SIGNALS[at]!] ?? Infinity,
  });
}
