import type { Episode } from '../../core/index.js';
import {
  comparePaired,
  type GateVerdict,
  type PairedAnswer,
  truthOf,
} from '../../learning/index.js';
import { claimOf, type EpisodeMemory } from './episode-memory.js';
import { momentOf } from './likeness.js';
import { requestOf } from './request-of.js';

/** Only the newest pairs decide: a correction that helped long ago may hurt now. */
const MOST_PAIRS = 1_000;
/** The verdict is renewed after this many new pairs. */
const PAIRS_BETWEEN_VERDICTS = 10;

/**
 * Whether the correction may be used. Each episode is predicted from earlier ones only, so none
 * judges itself; the original and the corrected claim are compared on the same episodes.
 */
export class CorrectionGate {
  #pairs: PairedAnswer[] = [];
  #sinceVerdict = 0;
  #verdict: GateVerdict = comparePaired([]);

  get verdict(): GateVerdict {
    return this.#verdict;
  }

  /** Compares both claims on an episode that `memory` does not have yet. */
  judge(episode: Episode, memory: EpisodeMemory): void {
    if (episode.rung === 'warm') return;
    const { client, intent, last, predicted, at, outcome } = episode;
    const claimed = claimOf(episode);
    const moment = momentOf(client, intent, last);
    const { confidence, alike } = memory.correct(moment, predicted, { claimed, at: at.getTime() });
    // Without a similar situation, both claims are the same.
    if (alike === 0) return;
    const isRight = outcome === 'exact';
    this.#add({
      group: requestOf(episode),
      simpler: truthOf({ confidence: claimed, isRight }),
      candidate: truthOf({ confidence, isRight }),
    });
  }

  /** Renews the verdict from all pairs. */
  decide(): GateVerdict {
    this.#sinceVerdict = 0;
    this.#verdict = comparePaired(this.#pairs);
    return this.#verdict;
  }

  clear(): void {
    this.#pairs = [];
    this.decide();
  }

  #add(pair: PairedAnswer): void {
    this.#pairs.push(pair);
    if (this.#pairs.length > MOST_PAIRS) this.#pairs.shift();
    this.#sinceVerdict += 1;
    if (this.#sinceVerdict >= PAIRS_BETWEEN_VERDICTS) this.decide();
  }
}
