import { canonicalJson } from '../../core/index.js';
import type { CallPredictor, PredictedCall, SessionCall, Situation } from '../situation.js';

/** Last calls, of all sessions, that something is known about. */
const MOST_CONTEXTS = 2_000;
/** Different calls that are remembered behind one. */
const MOST_FOLLOWERS = 20;
const MOST_PREDICTED = 3;

interface Follower {
  readonly call: SessionCall;
  count: number;
}

/** Foresees the call that came after the same last call before, with the same arguments. */
export class RepeatPredictor implements CallPredictor {
  readonly #followers = new Map<string, Map<string, Follower>>();

  predict({ calls }: Situation): Promise<readonly PredictedCall[]> {
    const followers = [...(this.#followers.get(contextOf(calls))?.values() ?? [])];
    const total = followers.reduce((sum, { count }) => sum + count, 0);
    const predicted = followers
      .toSorted((one, other) => other.count - one.count)
      .slice(0, MOST_PREDICTED)
      .map(({ call: { tool, args }, count }) => {
        const sameTool = followers.filter(({ call }) => call.tool === tool);
        const ofTool = sameTool.reduce((sum, one) => sum + one.count, 0);
        return {
          tool,
          args,
          // One more case than was seen: nothing is certain after a few.
          confidence: count / (total + 1),
          toolConfidence: ofTool / (total + 1),
          why: `came ${count} of ${total} times after the same call`,
        };
      });
    return Promise.resolve(predicted);
  }

  observe({ calls }: Situation, call: SessionCall): void {
    const context = contextOf(calls);
    const followers = this.#followers.get(context) ?? new Map<string, Follower>();
    this.#followers.delete(context);
    this.#followers.set(context, followers);
    const key = callKey(call);
    const known = followers.get(key);
    if (known) known.count++;
    else if (followers.size < MOST_FOLLOWERS) followers.set(key, { call, count: 1 });
    if (this.#followers.size > MOST_CONTEXTS) {
      const [oldest = ''] = this.#followers.keys();
      this.#followers.delete(oldest);
    }
  }
}

function contextOf(calls: readonly SessionCall[]): string {
  const last = calls.at(-1);
  return last ? callKey(last) : '';
}

function callKey({ tool, args }: Pick<SessionCall, 'tool' | 'args'>): string {
  return `${tool} ${canonicalJson(args)}`;
}
