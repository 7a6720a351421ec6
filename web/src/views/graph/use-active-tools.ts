/** Tools of tasks that run now, and of calls that ended a moment ago. */
import { ask } from '../../api.js';
import { now } from '../../clock.js';
import { calls, runEvents, runs } from '../../live.js';
import { useQuery } from '../../use-query.js';

const MOST_RUNS = 4;
const SHOWN_MS = 3_000;

export function useActiveTools(): readonly string[] {
  const running = runs.value.filter(({ status }) => status === 'running').slice(0, MOST_RUNS);
  const places = running.map(
    ({ run }) => runEvents.value.findLast((one) => one.run === run)?.place ?? 0,
  );
  const details = useQuery(
    (signal) => Promise.all(running.map(({ run }) => ask('run-show', { run }, signal))),
    running.map(({ run }) => run).join(' '),
    places.join(' '),
  );
  const inTasks = (details.data ?? []).flatMap(({ tasks }) =>
    tasks.filter(({ status }) => status === 'running').map(({ tool }) => tool),
  );
  const ended = calls.value
    .filter(({ at, ms }) => Date.parse(at) + ms > now.value - SHOWN_MS)
    .map(({ tool }) => tool);
  return [...new Set([...inTasks, ...ended])];
}
