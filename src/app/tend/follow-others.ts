import type { ExecutionTrace, ExperienceStore, GraphStore, Logger } from '../../core/index.js';
import type { LiveGraph } from '../../graph/index.js';
import { repeat } from '../repeat.js';

interface FollowOptions {
  readonly live: Pick<LiveGraph, 'added' | 'takeUp'>;
  readonly store: { readonly experience: ExperienceStore; readonly graph: GraphStore };
  /** How many executions were stored before anything was read or added from here. */
  readonly known: number;
  /** Takes executions into memory; those it knows change nothing. */
  readonly remember: (traces: readonly ExecutionTrace[]) => Promise<unknown>;
  readonly log: Logger;
  readonly everyMs?: number;
}

const EVERY_MS = 30_000;
/** As many as are remembered at all. */
const MOST_READ = 20_000;
/** Executions that began before ours did may have been added after them. */
const SLACK = 100;

/**
 * On a database that several gateways share: takes up every now and then what the others added. Costs
 * one count while they add nothing. Executions they import with dates of long ago are in the graph at
 * once, and remembered after the next start, if they are among the newest.
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

  const failure = 'what other gateways added is not taken up';
  return repeat(takeNew, { everyMs, failure, log });
}
