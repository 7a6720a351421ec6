import type { RunInfo } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';

const LATEST = 'latest';
/** Ids have 22 characters; older journals have ids of 12. */
const WHOLE_ID = /^run_(?:[\w-]{22}|[\w-]{12})$/;
const MOST_RUNS = 1_000;
const SHOWN = 5;

/** The runs the daemon knows, newest first. */
export async function listRuns(flags: DaemonFlags, limit: number): Promise<readonly RunInfo[]> {
  const { answer } = await askStarted(flags, 'runs', { limit: Math.min(limit, MOST_RUNS) });
  return answer.runs;
}

/** The id of the run that is meant: `latest`, a whole id, or the beginning of one. */
export async function findRun(wanted: string, flags: DaemonFlags): Promise<string> {
  if (WHOLE_ID.test(wanted)) return wanted;
  const limit = wanted === LATEST ? 1 : MOST_RUNS;
  const runs = await listRuns(flags, limit);
  return chooseRun(
    wanted,
    runs.map(({ run }) => run),
  );
}

/** Of ids, newest first; `run_` may be left out. */
export function chooseRun(wanted: string, ids: readonly string[]): string {
  const [newest] = ids;
  if (newest === undefined) throw new PmlError('RUN_UNKNOWN', 'There are no runs yet');
  if (wanted === LATEST) return newest;
  const fits = ids.filter((id) => id.startsWith(wanted) || id.startsWith(`run_${wanted}`));
  const [only, ...others] = fits;
  if (only !== undefined && others.length === 0) return only;
  const exact = ids.find((id) => id === wanted);
  if (exact !== undefined) return exact;
  throw new PmlError(
    'RUN_UNKNOWN',
    only === undefined
      ? `No run begins with "${wanted}"; the newest are ${shorten(ids)}`
      : `Several runs begin with "${wanted}": ${shorten(fits)}`,
  );
}

function shorten(ids: readonly string[]): string {
  const more = ids.length - SHOWN;
  return `${ids.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
