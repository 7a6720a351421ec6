import type { Signals } from './binding-signals.js';

/** Why a binding was scored as it was: a stable name, and words for a reader. */
export interface BindingReason {
  readonly kind: string;
  readonly text: string;
}

/** Fitted to pairs of tools whose flow is known (see `bench/flow.ts`); log-odds. */
const BIAS = -3;
const WEIGHTS: Readonly<Record<keyof Signals, number>> = {
  name: 3,
  sameName: 0.5,
  description: 1,
  meaning: 1.5,
  kind: 0.8,
  type: 1,
  format: 0.8,
  choice: -1.5,
  setting: -1.5,
  required: 0.7,
  mention: 2,
  main: 0.5,
  echo: -0.7,
  stage: 0.7,
  topic: 0.5,
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
  mention: ['a description names the producer', ''],
  main: ['it is what the producer is for', ''],
  echo: ['', 'the producer was given it, too'],
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
