import { asText } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import type { PendingPrediction } from '../pending-predictions.js';
import type { PredictedCall, Situation } from '../situation.js';
import { SessionRecord } from './session-record.js';

/** Sessions that end are forgotten; of those that never say so, the ones used last are kept. */
const MOST_SESSIONS = 200;

/** One client session: what it did, and what was foreseen for it. */
export interface FollowedSession {
  readonly record: SessionRecord;
  /** Predictions that the next call of the session settles. */
  readonly pending: PendingPrediction[];
  /** Requests that have not been answered. */
  openRequests: number;
  /** The client thought before its request that is open now. */
  hasThought: boolean;
  /** When the last request was answered, by the clock that was passed in. */
  answeredAt: number;
  /** Cancels the prediction that waits until the client has thought for a moment. */
  thinking: (() => void) | undefined;
  /** Holds as long as no further call was made. */
  foreseen:
    | {
        readonly made: number;
        readonly situation: Situation;
        readonly calls: readonly PredictedCall[];
      }
    | undefined;
}

/** The sessions whose next calls PML tries to foresee. */
export class FollowedSessions {
  readonly #now: () => number;
  readonly #sessions = new Map<string, FollowedSession>();
  #newest: string | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Nothing for a stateless client: its next request cannot be told from another client's. */
  of({ session, user, info }: Caller): FollowedSession | undefined {
    if (user !== session) return undefined;
    const known = this.#sessions.get(session);
    // Every call asks several times; the session that is the newest already need not move.
    if (known && session === this.#newest) return known;
    this.#newest = session;
    if (known) {
      this.#sessions.delete(session);
      this.#sessions.set(session, known);
      return known;
    }
    const followed: FollowedSession = {
      record: new SessionRecord(session, asText(info['name']), this.#now),
      pending: [],
      openRequests: 0,
      hasThought: false,
      answeredAt: -Infinity,
      thinking: undefined,
      foreseen: undefined,
    };
    this.#sessions.set(session, followed);
    if (this.#sessions.size > MOST_SESSIONS) {
      const [oldest = ''] = this.#sessions.keys();
      this.#sessions.delete(oldest);
    }
    return followed;
  }

  forget(session: string): FollowedSession | undefined {
    const known = this.#sessions.get(session);
    this.#sessions.delete(session);
    if (session === this.#newest) this.#newest = undefined;
    return known;
  }
}
