import {
  type Episode,
  type EpisodeStore,
  type Logger,
  messageOf,
  type Rung,
  type ToolId,
} from '../../core/index.js';
import type { SpeculationLedger } from '../episode.js';
import type { PredictedCall, Situation } from '../situation.js';
import { DEFAULT_TARGETS, type ThresholdTargets } from './adapt-threshold.js';
import { CorrectionGate } from './correction-gate.js';
import { EpisodeLog } from './episode-log.js';
import { EpisodeMemory } from './episode-memory.js';
import { type CompareIntents, IntentMeanings } from './intent-meanings.js';
import { ledgerFigures, type LedgerFigures } from './ledger-figures.js';
import { momentOf } from './likeness.js';
import { Thresholds } from './thresholds.js';
import { kindOfTool } from './tool-kind.js';

/** Episodes in memory: what predictions are compared with, and what figures are made of. */
const REMEMBERED = 2_000;
const MOST_INTENT_CHARACTERS = 500;
const MOST_CLIENT_CHARACTERS = 100;
const MOST_LAST_TOOLS = 8;
/** Episodes that are replayed before others may go on. */
const REPLAYED_AT_ONCE = 10;

export interface LedgerOptions {
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hides secrets in what is kept of an intent. */
  readonly mask: (text: string) => string;
  /** Lets everything else go first, between parts of long work. */
  readonly pause: () => Promise<void>;
  /** Read at every outcome: the configuration may change. Default: 85 % useful, 10 % wasted. */
  readonly targets?: () => ThresholdTargets;
  /** What the user wants a prediction to reach, instead of what outcomes say. */
  readonly fixedThreshold?: () => number | undefined;
  /** How near intents are in meaning, where there is a model. Default: words decide. */
  readonly compare?: CompareIntents;
  /** Tools of one kind share a threshold. Default: by what the name says the tool does. */
  readonly kindOf?: (tool: ToolId) => string;
}

/** What a user can have PML forget. */
export interface ForgetRequest {
  readonly episodes: boolean;
  readonly thresholds: boolean;
}

export interface Forgotten {
  readonly episodes: number;
  readonly thresholds: number;
}

/** A ledger that remembers episodes, learns from them and tells what they show. */
export interface LearningLedger extends SpeculationLedger, AsyncDisposable {
  /** Reads what earlier sessions left, and stores what comes from now on. Never rejects. */
  attach(store: EpisodeStore): Promise<void>;
  /** Resolves when what `attach` reads is in memory. */
  loaded(): Promise<void>;
  readonly figures: LedgerFigures;
  /** Memory is cleared at once; rejects if the store fails to remove the rest. */
  forget(what: ForgetRequest): Promise<Forgotten>;
  /** Episodes in memory. */
  readonly size: number;
}

export function createSpeculationLedger(options: LedgerOptions): LearningLedger {
  return new EpisodicLedger(options);
}

class EpisodicLedger implements LearningLedger {
  readonly #options: LedgerOptions;
  readonly #kindOf: (tool: ToolId) => string;
  readonly #thresholds: Thresholds;
  readonly #meanings: IntentMeanings;
  readonly #writes: EpisodeLog;
  #memory: EpisodeMemory;
  #gate = new CorrectionGate();
  #isClosed = false;
  #loading: Promise<void> = Promise.resolve();
  /** Raised when something is forgotten: what was read before must not come back. */
  #era = 0;

  constructor(options: LedgerOptions) {
    const { log, kindOf = kindOfTool, targets = () => DEFAULT_TARGETS } = options;
    this.#options = options;
    this.#kindOf = kindOf;
    this.#thresholds = new Thresholds({ kindOf, targets });
    this.#writes = new EpisodeLog({ log });
    this.#meanings = new IntentMeanings({
      compare: options.compare ?? (async () => ({})),
      recent: (most) => this.#memory.recentIntents(most),
      onFailed: (error) => log.debug('intents not compared', { error: messageOf(error) }),
    });
    this.#memory = this.#createMemory();
  }

  thresholdFor(rung: Rung, tool: ToolId): number {
    return this.#options.fixedThreshold?.() ?? this.#thresholds.for(rung, tool);
  }

  corrected(situation: Situation, { tool, confidence }: PredictedCall): number {
    const { client, calls } = situation;
    const intent = this.#keepable(situation.intent);
    this.#meanings.notice(intent);
    if (!this.#gate.verdict.isBetter) return confidence;
    const last = calls.slice(-MOST_LAST_TOOLS).map((call) => call.tool);
    const now = { claimed: confidence, at: this.#options.now() };
    return this.#memory.correct(momentOf(client, intent, last), tool, now).confidence;
  }

  settled(given: Episode): void {
    const episode = this.#asKept(given);
    this.#gate.judge(episode, this.#memory);
    this.#memory.add(episode);
    this.#writes.add(episode);
    const moved = this.#thresholds.settled(episode);
    if (!moved) return;
    this.#writes.addThreshold(moved);
    const { rung, kind, value, isOff, why } = moved;
    this.#options.log.debug('threshold moved', { rung, kind, value, isOff, why });
  }

  attach(store: EpisodeStore): Promise<void> {
    this.#writes.attach(store);
    this.#loading = this.#load(store);
    return this.#loading;
  }

  loaded(): Promise<void> {
    return this.#loading;
  }

  get figures(): LedgerFigures {
    return ledgerFigures([...this.#memory.episodes], {
      thresholds: this.#thresholds.all,
      kindOf: this.#kindOf,
      correction: this.#gate.verdict,
    });
  }

  get size(): number {
    return this.#memory.size;
  }

  async forget(what: ForgetRequest): Promise<Forgotten> {
    this.#era += 1;
    const held = { episodes: this.#memory.size, thresholds: this.#thresholds.all.length };
    if (what.episodes) {
      this.#memory.clear();
      this.#meanings.clear();
      this.#gate.clear();
      this.#thresholds.forgetOutcomes();
    }
    if (what.thresholds) this.#thresholds.forget();
    const stored = await this.#writes.forget(what);
    return {
      episodes: what.episodes ? Math.max(stored.episodes, held.episodes) : 0,
      thresholds: what.thresholds ? Math.max(stored.thresholds, held.thresholds) : 0,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#meanings.settled();
    await this.#writes[Symbol.asyncDispose]();
  }

  async #load(store: EpisodeStore): Promise<void> {
    const era = this.#era;
    try {
      const [stored, thresholds] = [
        await store.load({ limit: REMEMBERED }),
        await store.thresholds(),
      ];
      if (this.#era !== era) return;
      this.#thresholds.restore(thresholds);
      await this.#recall(stored, era);
    } catch (error) {
      this.#options.log.warn('episodes not read', { error: messageOf(error) });
    }
  }

  /** Replays stored episodes in their order, before those of this session, in small parts. */
  async #recall(stored: readonly Episode[], era: number): Promise<void> {
    const memory = this.#createMemory();
    const gate = new CorrectionGate();
    for (const [place, episode] of stored.entries()) {
      gate.judge(episode, memory);
      memory.add(episode);
      if (place % REPLAYED_AT_ONCE === 0) await this.#options.pause();
      if (this.#era !== era || this.#isClosed) return;
    }
    // What came meanwhile is newer than all of them.
    const known = new Set(stored.map(({ id }) => id));
    const later = [...this.#memory.episodes].filter(({ id }) => !known.has(id));
    for (const episode of later) {
      gate.judge(episode, memory);
      memory.add(episode);
    }
    gate.decide();
    this.#memory = memory;
    this.#gate = gate;
    this.#thresholds.recall(stored);
  }

  #createMemory(): EpisodeMemory {
    const byMeaning = this.#meanings.likeness;
    return new EpisodeMemory({ capacity: REMEMBERED, byMeaning });
  }

  /** Within bounds: one odd number must not keep a whole batch out of the store. */
  #asKept(episode: Episode): Episode {
    const { claimed } = episode;
    return {
      ...episode,
      confidence: asShare(episode.confidence),
      ...(claimed !== undefined && { claimed: asShare(claimed) }),
      threshold: asAmount(episode.threshold),
      savedMs: asAmount(episode.savedMs),
      wastedMs: asAmount(episode.wastedMs),
      client: episode.client.slice(0, MOST_CLIENT_CHARACTERS),
      intent: this.#keepable(episode.intent),
      last: episode.last.slice(-MOST_LAST_TOOLS),
    };
  }

  /** Masked before it is cut: half a secret is one, too. */
  #keepable(intent: string): string {
    return this.#options.mask(intent).slice(0, MOST_INTENT_CHARACTERS);
  }
}

function asShare(value: number): number {
  return Math.min(1, asAmount(value));
}

function asAmount(value: number): number {
  return Number.isFinite(value) ? Math.max(0, value) : 0;
}
