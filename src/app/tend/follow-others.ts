import type { ExecutionTrace, ExperienceStore, GraphStore, Logger } from '../../core/index.js';
import type { LiveGraph } from '../../graph/index.js';
import { repeat } from '../repeat.js';

interface FollowOptions {
  readonly live: Pick<LiveGraph, 'added' | 'takeUp'>;
  readonly store: { readonly experience: ExperienceStore; readonly graph: GraphStore };
  /** How many executions the store had before this gateway read or added any. */
  readonly known: number;
  /** Adds executions to memory; known ones change nothing. */
  readonly remember: (traces: readonly ExecutionTrace[]) => Promise<unknown>;
  readonly log: Logger;
  readonly everyMs?: number;
}

const EVERY_MS = 30_000;
/** The most that memory holds. */
const MOST_READ = 20_000;
/** Other gateways may add executions late that began before ours. */
const SLACK = 100;

/**
 * On a shared database: loads periodically what other gateways added. Costs one count while they
 * add nothing. Executions that they import with old dates reach the graph at once, and memory after
 * the next start if they are among the newest.
 */
export function followOthers(options: FollowOptions): AsyncDisposable {
  const { live, store, known, log, everyMs = EVERY_MS } = options;
  let taken = { others: 0, own: 0 };

  async function takeNew(): Promise<void> {
    const own = live.added;
    const others = (await store.experience.count()) - known - own;
    if (others <= taken.others) return;
    const fresh = others - taken.others + own - taken.own;
    const limit = Math.min(MOST_READ, 2 * fresh + SLACK);
    await live.takeUp(store.graph);
    await options.remember(await store.experience.load({ limit }));
    taken = { others, own };
  }

  const failure = 'cannot read what other gateways added';
  return repeat(takeNew, { everyMs, failure, log });
}
