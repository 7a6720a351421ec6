import type { Signals } from './binding-signals.js';

/** Why a binding was scored as it was: a stable name, and words for a reader. */
export interface BindingReason {
  readonly kind: string;
  readonly text: string;
}

/** Fitted to pairs of tools whose flow is known (see `bench/flow.ts`); log-odds. */
const BIAS = -3.1;
const WEIGHTS: Readonly<Record<keyof Signals, number>> = {
  name: 1.7,
  sameName: 0.1,
  description: 0.2,
  meaning: 1,
  kind: 0.5,
  type: 0.75,
  format: 0.9,
  choice: -0.2,
  setting: -0.4,
  required: 0.9,
  query: -0.8,
  handle: 0.9,
  mention: 0.5,
  main: 0.6,
  report: -0.2,
  depth: -0.2,
  echo: -0.75,
  neededEcho: -0.85,
  unseen: 1.2,
  observed: -0.2,
  stage: 1.05,
  topic: 0.25,
};

/** How likely it is that this value goes there, from 0 to 1. */
export function scoreSignals(signals: Signals): number {
  let logOdds = BIAS;
  for (const key of SIGNAL_NAMES) logOdds += WEIGHTS[key] * signals[key];
  return sigmoid(logOdds);
}

export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

const SIGNAL_NAMES = Object.keys(WEIGHTS) as (keyof Signals)[];

/** What a reason for or against reads like; signals without a line here speak for themselves. */
const TEXTS: Readonly<Record<keyof Signals, readonly [up: string, down: string]>> = {
  name: ['the names are alike', ''],
  sameName: ['the names are the same', ''],
  description: ['the descriptions share words', ''],
  meaning: ['the descriptions mean about the same', ''],
  kind: ['both are of the same kind', ''],
  type: ['the types fit', 'the types do not fit'],
  format: ['the formats are the same', 'the formats differ'],
  choice: ['the parameter has the same choices', 'the parameter is a choice'],
  setting: ['', 'the parameter is a setting'],
  required: ['the parameter is required', ''],
  query: ['', 'the parameter is what somebody asks for'],
  handle: ['the parameter is nothing one knows by heart', ''],
  mention: ['a description names the producer', ''],
  main: ['it is what the producer is for', ''],
  report: ['', 'the field tells how the call went'],
  depth: ['', 'the field lies deep in the result'],
  echo: ['', 'the producer takes it, too'],
  neededEcho: ['', 'the producer needs it, too'],
  unseen: ['nothing speaks against it: the result was never seen', ''],
  observed: ['', 'the result was seen to have it, not promised'],
  stage: [
    'the producer finds out what the consumer uses',
    'the consumer comes before the producer',
  ],
  topic: ['both tools are about the same', ''],
};
/** Less than this moves a score too little to be worth a word. */
const WORTH_SAYING = 0.2;

/** What moved the score, the strongest first. */
export function explainSignals(signals: Signals): readonly BindingReason[] {
  return SIGNAL_NAMES.map((kind) => ({ kind, effect: WEIGHTS[kind] * signals[kind] }))
    .filter(({ effect }) => Math.abs(effect) >= WORTH_SAYING)
    .toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .map(({ kind, effect }) => ({ kind, text: TEXTS[kind][effect > 0 ? 0 : 1] || kind }));
}
