import type { ToolId } from '../../core/index.js';
import { type ChoiceExample, fitChoice } from '../../learning/index.js';
import type { Incidence } from '../hypergraph/hypergraph.js';
import type { HeadName } from '../hypergraph/run-edge.js';
import { ANCHOR_SIGNALS, type Attendable, headSignals } from './attend.js';

/** The weights of discovery's signals that a head begins with. */
export interface HeadPrior {
  readonly weights: Float64Array;
  /** Weights that no experience changes. */
  readonly isFixed: (place: number) => boolean;
}

/** A past request: the tools a head could attend to then, and its right answers. */
export interface HeadExample {
  readonly tools: readonly Attendable[];
  /** As if the request had never been. */
  readonly runs: Incidence;
  readonly right: ReadonlySet<ToolId>;
}

/** Learns what makes a tool the right answer of a head. */
export async function fitHead(
  head: HeadName,
  examples: readonly HeadExample[],
  { weights, isFixed, pause }: HeadPrior & { readonly pause: () => Promise<void> },
): Promise<Float64Array> {
  const prior = new Float64Array(weights.length + ANCHOR_SIGNALS.length);
  prior.set(weights);
  const choices = examples.map((one) => choiceOf(head, one));
  return fitChoice(choices, {
    prior,
    pause,
    isFixed: (place) => place < weights.length && isFixed(place),
  });
}

function choiceOf(head: HeadName, { tools, runs, right }: HeadExample): ChoiceExample {
  const seen = tools.flatMap(({ tool, signals }) => (signals ? [{ tool, signals }] : []));
  return {
    candidates: seen.map(({ tool, signals }) => headSignals(head, signals, tool, runs)),
    isRight: seen.map(({ tool }) => right.has(tool)),
  };
}
