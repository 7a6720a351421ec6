/** Plays foreseen moments through the ledger of the daemon, with parts of it left out. */
import { silentLogger, type ToolId } from '../../src/core/index.js';
import { createSpeculationLedger } from '../../src/speculation/index.js';
import { EpisodeMemory } from '../../src/speculation/ledger/episode-memory.js';
import { momentOf } from '../../src/speculation/ledger/likeness.js';
import type { ForeseenMoment } from './made-predictions.js';

export interface Way {
  /** A fixed threshold; adaptive without one. */
  readonly fixed?: number;
  /** `always` corrects without asking the gate. */
  readonly episodes: 'off' | 'gated' | 'always';
  readonly kindOf?: (tool: ToolId) => string;
}

/** What became of one moment. */
export interface Played {
  readonly group: string;
  readonly wasDone: boolean;
  readonly isExact: boolean;
  readonly callMs: number;
  /** Squared error of the confidence that was used. */
  readonly error: number;
}

export interface PlayedAll {
  readonly moments: readonly Played[];
  /** At the end: the share of thresholds that are off, and whether the gate is open. */
  readonly off: number;
  readonly isCorrected: boolean;
  /** Mean of the thresholds that are on. */
  readonly threshold: number;
}

export function playLedger(moments: readonly ForeseenMoment[], way: Way): PlayedAll {
  let now = 0;
  const memory = new EpisodeMemory({ capacity: 2_000, byMeaning: () => undefined });
  const ledger = createSpeculationLedger({
    log: silentLogger,
    now: () => now,
    mask: (text) => text,
    pause: async () => {},
    ...(way.kindOf && { kindOf: way.kindOf }),
  });
  const confidenceOf = (one: ForeseenMoment): number => {
    const { client, intent, last, predicted: tool, claimed } = one;
    if (way.episodes === 'off') return claimed;
    if (way.episodes === 'always') {
      return memory.correct(momentOf(client, intent, last), tool, { claimed, at: now }).confidence;
    }
    const calls = last.map((each) => ({ tool: each, args: {}, ok: true, turn: 0, at: now }));
    const call = { tool, args: {}, confidence: claimed, toolConfidence: claimed, why: '' };
    return ledger.corrected({ session: one.group, client, intent, calls }, call);
  };
  const played = moments.map((one, place): Played => {
    now = one.atMs;
    const confidence = confidenceOf(one);
    const threshold = way.fixed ?? ledger.thresholdFor('speculate', one.predicted);
    const wasDone = confidence >= threshold;
    const episode = {
      ...one,
      id: String(place),
      at: new Date(now),
      rung: 'speculate' as const,
      confidence,
      threshold,
      wasDone,
      outcome: one.isExact ? ('exact' as const) : ('other' as const),
      savedMs: wasDone && one.isExact ? one.callMs : 0,
      wastedMs: wasDone && !one.isExact ? one.callMs : 0,
    };
    memory.add(episode);
    ledger.settled(episode);
    const { group, isExact, callMs } = one;
    return { group, wasDone, isExact, callMs, error: (confidence - (isExact ? 1 : 0)) ** 2 };
  });
  const { thresholds, correction } = ledger.figures;
  const on = thresholds.filter(({ isOff }) => !isOff);
  return {
    moments: played,
    off: (thresholds.length - on.length) / Math.max(1, thresholds.length),
    isCorrected: correction.isBetter,
    threshold: on.reduce((sum, { value }) => sum + value, 0) / Math.max(1, on.length),
  };
}
