/**
 * Where a threshold goes after an outcome. Held-back predictions count like those that were acted on:
 * both tell what a threshold would have brought. That is also how a rung that is off comes back: it
 * costs nothing to watch it.
 */

export const FIRST_THRESHOLD = 0.92;
export const LEAST_THRESHOLD = 0.7;
export const MOST_THRESHOLD = 0.95;
/** No confidence reaches it. */
export const OFF_THRESHOLD = 2;
/** Outcomes that count, of one rung and kind of tool. */
export const WINDOW = 50;

/** With fewer outcomes a threshold stays where it is. */
const LEAST_OUTCOMES = 20;
/** With fewer predictions above it, a threshold cannot be judged. */
const LEAST_ABOVE = 10;
/** A rung may go off after fewer: wasted calls must stop first. */
const LEAST_HOPELESS = 5;
const STEP = 0.01;
/** A wasted call costs more than a call that was not made: thresholds rise faster than they fall. */
const RISE = 2;
/** One-sided 80 %: a rung goes off and comes back only when chance hardly explains it. */
const NORMAL = 0.8416;

export interface ThresholdTargets {
  /** The least share of acted-on predictions that were useful. */
  readonly useful: number;
  /** The most wasted calls for each moment in which a client was about to call. */
  readonly waste: number;
}

export const DEFAULT_TARGETS: ThresholdTargets = { useful: 0.85, waste: 0.1 };

/** The outcome of one prediction. */
export interface Judged {
  /** What the client wanted: predictions for one request are right or wrong together. */
  readonly request: string;
  readonly confidence: number;
  readonly isUseful: boolean;
}

export interface ThresholdState {
  readonly value: number;
  readonly isOff: boolean;
  /** In one line. */
  readonly why: string;
}

export const FIRST_STATE: ThresholdState = {
  value: FIRST_THRESHOLD,
  isOff: false,
  why: 'where PML begins; no outcome has moved it yet',
};

/** What a threshold would have brought in the window. */
interface Trial {
  readonly at: number;
  readonly above: number;
  readonly useful: number;
}

/** The threshold after the newest outcome of the window. */
export function adaptThreshold(
  state: ThresholdState,
  window: readonly Judged[],
  targets: ThresholdTargets,
): ThresholdState {
  if (window.length < LEAST_OUTCOMES) return state;
  const trials = TRIED.map((at) => tryThreshold(window, at));
  const best = trials.find(
    (one) =>
      isGood(one, window.length, targets) &&
      (one.at >= state.value || isBroad(window, one.at, targets)),
  );
  if (state.isOff) return comeBack(state, trials, { window, targets });
  if (best) return stepTowards(state, best, window.length);
  const top = trials.at(-1)!;
  if (isHopeless(top, targets)) {
    return { value: MOST_THRESHOLD, isOff: true, why: `off: ${describe(top, window.length)}` };
  }
  // Hardly anything passes it: nothing says that it is wrong.
  if (tryThreshold(window, state.value).above < LEAST_HOPELESS) return state;
  return stepTowards(state, top, window.length);
}

/** Lowest first. */
const TRIED = Array.from(
  { length: Math.round((MOST_THRESHOLD - LEAST_THRESHOLD) / STEP) + 1 },
  (_, place) => round(LEAST_THRESHOLD + place * STEP),
);

function tryThreshold(window: readonly Judged[], at: number): Trial {
  const above = window.filter(({ confidence }) => confidence >= at);
  return { at, above: above.length, useful: above.filter(({ isUseful }) => isUseful).length };
}

function isGood(trial: Trial, moments: number, { useful, waste }: ThresholdTargets): boolean {
  const inVain = (trial.above - trial.useful) / moments;
  return trial.above >= LEAST_ABOVE && trial.useful >= useful * trial.above && inVain <= waste;
}

/**
 * No single request makes it good: without the one that speaks most for it, the share is still right.
 * A client that repeats a call in a loop would lower the threshold for everything after the loop.
 */
function isBroad(window: readonly Judged[], at: number, { useful }: ThresholdTargets): boolean {
  const hits = new Map<string, number>();
  for (const one of window) {
    if (one.isUseful && one.confidence >= at)
      hits.set(one.request, (hits.get(one.request) ?? 0) + 1);
  }
  const most = [...hits].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])[0];
  const rest = tryThreshold(
    window.filter(({ request }) => request !== most),
    at,
  );
  return rest.above >= LEAST_HOPELESS && rest.useful >= useful * rest.above;
}

/** Even the surest predictions are useful less often than wanted, beyond chance. */
function isHopeless({ above, useful }: Trial, targets: ThresholdTargets): boolean {
  return above >= LEAST_HOPELESS && shareBound(useful, above, NORMAL) < targets.useful;
}

/** A rung that is off comes back at the most careful threshold, when the share is right beyond chance. */
function comeBack(
  state: ThresholdState,
  trials: readonly Trial[],
  { window, targets }: { readonly window: readonly Judged[]; readonly targets: ThresholdTargets },
): ThresholdState {
  const proven = trials.find(
    (one) =>
      isGood(one, window.length, targets) &&
      shareBound(one.useful, one.above, -NORMAL) >= targets.useful,
  );
  if (!proven) return state;
  return {
    value: MOST_THRESHOLD,
    isOff: false,
    why: `on again: ${describe(proven, window.length)}`,
  };
}

function stepTowards(state: ThresholdState, to: Trial, moments: number): ThresholdState {
  const distance = to.at - state.value;
  if (Math.abs(distance) < STEP / 2) return state;
  const step = Math.max(-STEP, Math.min(RISE * STEP, distance));
  const verb = distance > 0 ? 'raised' : 'lowered';
  return {
    value: round(state.value + step),
    isOff: false,
    why: `${verb}: ${describe(to, moments)}`,
  };
}

function describe({ at, above, useful }: Trial, moments: number): string {
  const inVain = `${above - useful} of ${moments} moments would waste a call`;
  return `at ${at.toFixed(2)}, ${useful} of ${above} predictions were useful and ${inVain}`;
}

/** Wilson's bound of a share; the upper one for a positive `normal`. */
function shareBound(hits: number, count: number, normal: number): number {
  const share = hits / count;
  const square = normal ** 2 / count;
  const spread = normal * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  return (share + square / 2 + spread) / (1 + square);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
