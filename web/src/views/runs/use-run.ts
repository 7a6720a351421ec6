import type { ReplayedEvent, RunDetails } from '../../../../src/control/contract/runs.js';
import { ask } from '../../api.js';
import { runEvents, runs, snapshots } from '../../live.js';
import { type Query, useQuery } from '../../use-query.js';

/** A run as it stands; read again whenever the stream reports a change. */
export function useRun(run: string): Query<RunDetails> {
  const event = runEvents.value.findLast((one) => one.run === run);
  const info = runs.value.find((one) => one.run === run);
  const version = `${snapshots.value} ${event?.place ?? -1} ${info?.status ?? ''} ${JSON.stringify(info?.counts ?? {})}`;
  return useQuery((signal) => ask('run-show', { run, full: true }, signal), run, version);
}

const PAGE = 2_000;
const MOST_EVENTS = 20_000;

/** All events of a run, for its replay. */
export async function readEvents(
  run: string,
  signal: AbortSignal,
): Promise<readonly ReplayedEvent[]> {
  const events: ReplayedEvent[] = [];
  let after: number | undefined = 0;
  while (after !== undefined && events.length < MOST_EVENTS) {
    const page: { events: readonly ReplayedEvent[]; next?: number } = await ask(
      'run-events',
      { run, after, limit: PAGE },
      signal,
    );
    events.push(...page.events);
    after = page.next;
  }
  return events;
}
