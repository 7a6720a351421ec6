import { type Episode, parseToolId, type Rung, type StoredThreshold } from '../../core/index.js';
import type { GateVerdict } from '../../learning/index.js';
import { isUseful } from './is-useful.js';

/** Outcomes of predictions: of one rung, or of one client. */
export interface PredictionFigures {
  readonly predictions: number;
  /** The client made exactly the predicted call. */
  readonly exact: number;
  /** The client called the predicted tool, with whatever arguments. */
  readonly tool: number;
  /** PML acted on the prediction. */
  readonly done: number;
  /** Of those, the client had a use for what was done; a made call served its answer. */
  readonly served: number;
  /** Of those, nothing came of it (false positives). */
  readonly wasted: number;
  /** Held back by the threshold although it would have been of use (false negatives). */
  readonly missed: number;
  /** Time that the client did not have to wait. */
  readonly savedMs: number;
  /** Time of servers wasted. */
  readonly wastedMs: number;
}

/** A threshold, and how it moved. */
export interface ThresholdFigures extends StoredThreshold {
  /** Outcomes in its window. */
  readonly outcomes: number;
  readonly figures: PredictionFigures;
  /** When it changed, as far as episodes are remembered, oldest first. */
  readonly history: readonly { readonly at: Date; readonly value: number }[];
}

export interface LedgerFigures {
  readonly episodes: number;
  readonly from?: Date;
  readonly rungs: readonly (PredictionFigures & { readonly rung: Rung })[];
  readonly clients: readonly (PredictionFigures & { readonly client: string })[];
  /** Calls that only PML made, by server. */
  readonly extraCalls: readonly { readonly server: string; readonly calls: number }[];
  readonly thresholds: readonly ThresholdFigures[];
  /** Whether past episodes correct predictions, and why. */
  readonly correction: GateVerdict;
}

const RUNGS: readonly Rung[] = ['warm', 'offer', 'speculate'];
const MOST_HISTORY = 20;
const MOST_ROWS = 50;

interface FigureSources {
  readonly thresholds: readonly (StoredThreshold & { readonly outcomes: number })[];
  readonly kindOf: (tool: Episode['predicted']) => string;
  readonly correction: GateVerdict;
}

/** Everything that `pml metrics speculation` shows, of the episodes that are remembered. */
export function ledgerFigures(
  episodes: readonly Episode[],
  { thresholds, kindOf, correction }: FigureSources,
): LedgerFigures {
  const [first] = episodes;
  const byClient = [...groupBy(episodes, ({ client }) => client)];
  return {
    episodes: episodes.length,
    ...(first && { from: first.at }),
    rungs: RUNGS.map((rung) => ({
      rung,
      ...figuresOf(episodes.filter((one) => one.rung === rung)),
    })).filter(({ predictions }) => predictions > 0),
    clients: byClient
      .map(([client, own]) => ({ client, ...figuresOf(own) }))
      .toSorted((one, other) => other.predictions - one.predictions)
      .slice(0, MOST_ROWS),
    extraCalls: extraCallsOf(episodes),
    thresholds: thresholds.map((one) => {
      const own = episodes.filter(
        ({ rung, predicted }) => rung === one.rung && kindOf(predicted) === one.kind,
      );
      return { ...one, figures: figuresOf(own), history: historyOf(own) };
    }),
    correction,
  };
}

function figuresOf(episodes: readonly Episode[]): PredictionFigures {
  const count = (isSo: (one: Episode) => boolean) => episodes.filter(isSo).length;
  const sum = (of: (one: Episode) => number) => episodes.reduce((all, one) => all + of(one), 0);
  return {
    predictions: episodes.length,
    exact: count(({ outcome }) => outcome === 'exact'),
    tool: count(({ outcome }) => outcome === 'exact' || outcome === 'tool'),
    done: count(({ wasDone }) => wasDone),
    served: count(wasServed),
    wasted: count((one) => one.wasDone && !wasServed(one)),
    missed: count((one) => !one.wasDone && isUseful(one)),
    savedMs: sum(({ savedMs }) => savedMs),
    wastedMs: sum(({ wastedMs }) => wastedMs),
  };
}

/** A call that was foreseen rightly serves nothing when a write made its result stale meanwhile. */
function wasServed(one: Episode): boolean {
  return one.wasDone && isUseful(one) && one.wastedMs === 0;
}

function extraCallsOf(episodes: readonly Episode[]): LedgerFigures['extraCalls'] {
  const inVain = episodes.filter(
    (one) => one.rung === 'speculate' && one.wasDone && !isUseful(one),
  );
  return [...groupBy(inVain, ({ predicted }) => parseToolId(predicted).server)]
    .map(([server, own]) => ({ server, calls: own.length }))
    .toSorted((one, other) => other.calls - one.calls)
    .slice(0, MOST_ROWS);
}

function historyOf(episodes: readonly Episode[]): ThresholdFigures['history'] {
  const changes = episodes.filter(
    ({ threshold }, place) => threshold !== episodes[place - 1]?.threshold,
  );
  return changes.slice(-MOST_HISTORY).map(({ at, threshold }) => ({ at, value: threshold }));
}

function groupBy<Key>(
  episodes: readonly Episode[],
  keyOf: (one: Episode) => Key,
): ReadonlyMap<Key, readonly Episode[]> {
  const groups = new Map<Key, Episode[]>();
  for (const one of episodes) {
    const own = groups.get(keyOf(one));
    if (own) own.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
