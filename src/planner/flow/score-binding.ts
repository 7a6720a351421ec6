/**
 * The signals for or against a flow from a field of the producer into a parameter, each from -1 to
 * 1.
 */
export interface BindingSignals {
  /**
   * Their names are alike, also through the subject of the tools: `id` of an artist and `artistId`.
   */
  readonly name: number;
  /** Both names, with the names around them, have the same words. */
  readonly sameName: number;
  readonly description: number;
  /** How near their texts are in meaning, if the model has compared them. */
  readonly meaning: number;
  readonly kind: number;
  /** Both names end with a kind, and the kinds differ. */
  readonly clash: number;
  readonly type: number;
  readonly format: number;
  /** The parameter chooses among fixed values and the field is not one of them. */
  readonly choice: number;
  /** The parameter tunes the call (page, limit, order) rather than being about something. */
  readonly setting: number;
  readonly required: number;
  /** The user types this parameter in: a question, a keyword. */
  readonly query: number;
  /** A user does not know this parameter by heart: an id, a key, a token. */
  readonly handle: number;
  /** A text of the parameter or its tool names the producer. */
  readonly mention: number;
  readonly main: number;
  /** The field tells how the call went rather than what it found. */
  readonly report: number;
  readonly depth: number;
  /** The field is a whole result that only wraps the field that matters. */
  readonly whole: number;
  /** The producer takes the same value, so the caller knew it before. */
  readonly echo: number;
  /** And cannot do without. */
  readonly neededEcho: number;
  /** The result is unknown: PML only knows the subject of the producer. */
  readonly unseen: number;
  /** The result was seen, not promised: it may look different next time. */
  readonly observed: number;
  /** Finding out comes before making, and making before changing. */
  readonly stage: number;
  /** The tools are about the same. */
  readonly topic: number;
  /** The producer transforms its input for a later task. */
  readonly transform: number;
}

/** Why a binding was scored as it was: a stable name, and words for a reader. */
export interface BindingReason {
  readonly kind: string;
  readonly text: string;
}

/**
 * Log-odds. They start from a logistic regression on public data sets with known flows; the values
 * were then tuned by hand until `bench/flow.ts` was best on all sets. `bench/fit-flow.ts` shows how
 * weights do on a set that they were not fitted to.
 */
export const BIAS = -3.1;
export const WEIGHTS: Readonly<Record<keyof BindingSignals, number>> = {
  name: 1.7,
  sameName: 0.7,
  description: 1,
  meaning: 1,
  kind: 0.5,
  clash: -0.4,
  type: 0.75,
  format: 0.9,
  choice: -0.2,
  setting: -0.4,
  required: 0.9,
  query: -0.5,
  handle: 0.9,
  mention: 0.5,
  main: 0.6,
  report: -0.2,
  depth: -0.2,
  whole: -1.2,
  echo: -1.5,
  neededEcho: -1.0,
  unseen: 0.95,
  observed: -0.2,
  stage: 0.85,
  topic: 0.25,
  transform: 0.4,
};

const SIGNAL_NAMES = Object.keys(WEIGHTS) as (keyof BindingSignals)[];

/** The log-odds from some of the signals. The log-odds of all signals add up. */
export function logOddsOf(signals: Partial<BindingSignals>): number {
  let sum = 0;
  for (const name of SIGNAL_NAMES) sum += WEIGHTS[name] * (signals[name] ?? 0);
  return sum;
}

/** The texts of the reasons for and against. A signal without a text is shown by its name. */
const TEXTS: Readonly<Record<keyof BindingSignals, readonly [up: string, down: string]>> = {
  name: ['the names are alike', ''],
  sameName: ['the names are the same', ''],
  description: ['the descriptions share words', ''],
  meaning: ['the descriptions mean about the same', ''],
  kind: ['both are of the same kind', ''],
  clash: ['', 'the kinds differ'],
  type: ['the types fit', 'the types do not fit'],
  format: ['the formats are the same', 'the formats differ'],
  choice: ['the parameter has the same choices', 'the parameter is a choice'],
  setting: ['', 'the parameter is a setting'],
  required: ['the parameter is required', ''],
  query: ['', 'users type this parameter in'],
  handle: ['users do not know this parameter by heart', ''],
  mention: ['a description names the producer', ''],
  main: ['it is what the producer is for', ''],
  report: ['', 'the field tells how the call went'],
  depth: ['', 'the field lies deep in the result'],
  whole: ['', 'the result only wraps the field that matters'],
  echo: ['', 'the producer takes it, too'],
  neededEcho: ['', 'the producer needs it, too'],
  unseen: ['nothing speaks against it: the result was never seen', ''],
  observed: ['', 'the result was seen to have it, not promised'],
  stage: [
    'the producer finds out what the consumer uses',
    'the consumer comes before the producer',
  ],
  topic: ['both tools are about the same', ''],
  transform: ['the producer transforms its input for a later task', ''],
};
/** Less than this moves a score too little to be worth a word. */
const WORTH_SAYING = 0.2;

/** The signals that moved the score, the strongest first. */
export function explainSignals(signals: Partial<BindingSignals>): readonly BindingReason[] {
  return SIGNAL_NAMES.map((kind) => ({ kind, effect: WEIGHTS[kind] * (signals[kind] ?? 0) }))
    .filter(({ effect }) => Math.abs(effect) >= WORTH_SAYING)
    .toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect))
    .map(({ kind, effect }) => ({ kind, text: TEXTS[kind][effect > 0 ? 0 : 1] || kind }));
}
