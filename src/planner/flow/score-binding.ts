/** What speaks for or against a value of the producer going into a parameter; each from -1 to 1. */
export interface BindingSignals {
  /** Their names are alike, helped by what the tools are about: `id` of an artist and `artistId`. */
  readonly name: number;
  /** Names and what surrounds them are the same to the word. */
  readonly sameName: number;
  readonly description: number;
  /** How near their texts are in meaning, where somebody worked that out. */
  readonly meaning: number;
  readonly kind: number;
  readonly type: number;
  readonly format: number;
  /** The parameter chooses among fixed values and the field is not one of them. */
  readonly choice: number;
  /** The parameter tunes the call (page, limit, order) rather than being about something. */
  readonly setting: number;
  readonly required: number;
  /** Whoever asks types the parameter in: a question, a keyword. */
  readonly query: number;
  /** Nobody knows the parameter by heart: an id, a key, a token. */
  readonly handle: number;
  /** A text of the parameter or its tool names the producer. */
  readonly mention: number;
  readonly main: number;
  /** The field tells how the call went rather than what it found. */
  readonly report: number;
  readonly depth: number;
  /** The producer takes the same value: whoever calls it knew it before. */
  readonly echo: number;
  /** And cannot do without. */
  readonly neededEcho: number;
  /** Nothing is known of the result but what the producer is about. */
  readonly unseen: number;
  /** The result was seen, not promised: it may look different next time. */
  readonly observed: number;
  /** Finding out comes before making, and making before changing. */
  readonly stage: number;
  /** The tools are about the same. */
  readonly topic: number;
}

/** Why a binding was scored as it was: a stable name, and words for a reader. */
export interface BindingReason {
  readonly kind: string;
  readonly text: string;
}

/**
 * Log-odds. Fitted by logistic regression to pairs of tools of public data sets whose flow is known,
 * and rounded; `sameName`, `description`, `meaning`, `choice`, `mention`, `report`, `depth` and
 * `observed` are set by hand, as the data says little of them. `bench/flow.ts` measures the outcome.
 */
export const BIAS = -3.1;
export const WEIGHTS: Readonly<Record<keyof BindingSignals, number>> = {
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

const SIGNAL_NAMES = Object.keys(WEIGHTS) as (keyof BindingSignals)[];

/** How much some of the signals speak for it, in log-odds; those of all signals add up. */
export function logOddsOf(signals: Partial<BindingSignals>): number {
  let sum = 0;
  for (const name of SIGNAL_NAMES) sum += WEIGHTS[name] * (signals[name] ?? 0);
  return sum;
}

/** What a reason for or against reads like; signals without a line here speak for themselves. */
const TEXTS: Readonly<Record<keyof BindingSignals, readonly [up: string, down: string]>> = {
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
export function explainSignals(signals: Partial<BindingSignals>): readonly BindingReason[] {
  return SIGNAL_NAMES.map((kind) => ({ kind, effect: WEIGHTS[kind] * (signals[kind] ?? 0) }))
    .filter(({ effect }) => Math.abs(effect) >= WORTH_SAYING)
    .toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .map(({ kind, effect }) => ({ kind, text: TEXTS[kind][effect > 0 ? 0 : 1] || kind }));
}
