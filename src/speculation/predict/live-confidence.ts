/** The confidence, corrected by the outcomes of predictions of this daemon. */
import type { SessionCall } from '../situation.js';
import { type CallExample, fitConfidence } from './confidence.js';
import { kept } from './kept-map.js';
import { cameTrue, type RankedProposal } from './recorded-session.js';

const MOST_SESSIONS = 64;
/** Older ones say little about how clients work now. */
const MOST_EXAMPLES = 600;
const FRESH_EXAMPLES = 60;
/** As if so many examples spoke for the weights it started with. */
const PRIOR_EXAMPLES = 200;

interface Open {
  proposals: readonly RankedProposal[];
  readonly right: Set<RankedProposal>;
  hasCome: boolean;
}

export class LiveConfidence {
  readonly #prior: Float64Array;
  readonly #open = new Map<string, Open>();
  #examples: CallExample[] = [];
  #fresh = 0;
  #weights: Float64Array;

  constructor(prior: Float64Array) {
    this.#prior = prior;
    this.#weights = prior;
  }

  get weights(): Float64Array {
    return this.#weights;
  }

  predicted(session: string, proposals: readonly RankedProposal[]): void {
    const open = kept(this.#open, session, newOpen, MOST_SESSIONS);
    if (open.hasCome) this.#settle(open);
    open.proposals = proposals;
    open.right.clear();
    open.hasCome = false;
  }

  /** The calls of one turn come one by one: each may be what was predicted. */
  came(session: string, call: SessionCall): void {
    const open = this.#open.get(session);
    if (!open) return;
    open.hasCome = true;
    for (const one of open.proposals) if (cameTrue(one, [call])) open.right.add(one);
  }

  #settle({ proposals, right }: Open): void {
    for (const one of proposals) {
      this.#examples.push({ signals: one.signals, isRight: right.has(one) });
    }
    this.#examples = this.#examples.slice(-MOST_EXAMPLES);
    this.#fresh += proposals.length;
    if (this.#fresh < FRESH_EXAMPLES) return;
    this.#fresh = 0;
    this.#weights = fitConfidence(this.#examples, this.#prior, PRIOR_EXAMPLES);
  }
}

const newOpen = (): Open => ({ proposals: [], right: new Set(), hasCome: false });
