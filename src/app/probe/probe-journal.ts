import { messageOf } from '../../core/index.js';
import { type JournalReport, verifyJournal } from '../../journal/index.js';
import { journalPlace } from '../open/open-run-log.js';

export type JournalFacts =
  | { readonly report: JournalReport; readonly directory: string }
  /** Runs are in a database that several daemons share. */
  | { readonly isElsewhere: true }
  | { readonly error: string; readonly directory: string };

/** Reads the whole journal of a data directory and changes nothing. */
export async function probeJournal(dataDir: string, database: string): Promise<JournalFacts> {
  if (database !== 'embedded') return { isElsewhere: true };
  const { directory, markPath } = journalPlace(dataDir);
  try {
    return { report: await verifyJournal(directory, { markPath }), directory };
  } catch (error) {
    return { error: messageOf(error), directory };
  }
}
