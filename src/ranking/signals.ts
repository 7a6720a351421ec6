/**
 * The signals for a tool. Signals from past requests count more if tools recur in different requests
 * and if the nearest past request is near. `repeat` always counts fully: it stands for the same request.
 * Order matters: weights and stored decisions refer to these names.
 */
export const SIGNALS = [
  /** Words the request shares with the tool, near 1 for the best tool. */
  'words',
  /** The share of the request that the tool's words cover. */
  'coverage',
  /** Likeness of meaning, in deviations above the usual. */
  'meaning',
  /** The best share of a single need that the tool's words cover. */
  'needWords',
  /** Likeness of meaning to the single need most like it. */
  'needMeaning',
  /** Likeness of meaning over all needs. */
  'needsMeaning',
  /** Likeness of meaning to what the tool's server is for. */
  'server',
  /** Of the past requests that nearly equal this one: the share that the tool served. */
  'repeat',
  /** The share of the nearest past requests that the tool served. */
  'vote',
  /** The same, as far as the nearest is near. */
  'sureVote',
  /** How alike the nearest past request is that the tool served. */
  'near',
  /** Words the request shares with a past request that the tool served. */
  'pastWords',
  /** How often it was used. */
  'uses',
  /** The share of the nearest past requests that any tool of its server served. */
  'serverVote',
  /** How often any tool of its server was used. */
  'serverUses',
  /** What the needs of past requests say. */
  'needVote',
  'needLift',
  /** How often it was used together with the likeliest tools. */
  'company',
  /** Below 0 when its calls fail more often than usual. */
  'reliability',
  /** The request is the tool's name. */
  'named',
  /** What it has to do with what was just called, as far as enough is known to tell. */
  'related',
  /** That it comes after what was called last. */
  'next',
  /** Of a capability: how much of it was just called. */
  'overlap',
  /** Of a capability: likeness of meaning, as far as it can be relied on. */
  'capability',
  /** It changes something, and the request only asks: more when it destroys something. */
  'unasked',
  /** Its own description calls it deprecated. */
  'outdated',
  /** How much likelier than the average tool it is by vectors learned from past requests. */
  'trained',
] as const;

export type Signal = (typeof SIGNALS)[number];

/** One number for each of `SIGNALS`. */
export type SignalValues = Float64Array;

export function signalValues(named: Readonly<Partial<Record<Signal, number>>>): SignalValues {
  return Float64Array.from(SIGNALS, (signal) => named[signal] ?? 0);
}

export function namedSignals(values: SignalValues): Record<Signal, number> {
  const entries = SIGNALS.map((signal, at) => [signal, values[at]!] as const);
  return Object.fromEntries(entries) as Record<Signal, number>;
}
