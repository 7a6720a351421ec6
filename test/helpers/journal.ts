import { type Logger, type RunId, runId, silentLogger } from '../../src/core/index.js';
import {
  type FileRunLog,
  type FileRunLogOptions,
  openFileRunLog,
} from '../../src/journal/index.js';
import { finished, note, started } from '../fixtures/journal/events.js';

export interface Complaint {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Remembers what is complained about. */
export function listeningLogger(): { readonly log: Logger; readonly heard: Complaint[] } {
  const heard: Complaint[] = [];
  const listen =
    (level: Complaint['level']) =>
    (message: string, fields: Complaint['fields'] = {}) => {
      heard.push({ level, message, fields });
    };
  const log: Logger = {
    ...silentLogger,
    warn: listen('warn'),
    error: listen('error'),
    with: () => log,
  };
  return { log, heard };
}

export const [A, B, C] = ['a', 'b', 'c'].map(runId) as [RunId, RunId, RunId];

export const openAt = (
  directory: string,
  options: Partial<FileRunLogOptions> = {},
): Promise<FileRunLog> => openFileRunLog({ directory, log: silentLogger, ...options });

/** Two runs under way and one finished, each append a write of its own. */
export async function fillJournal(log: FileRunLog): Promise<void> {
  await log.append(A, [started(A, 1)]);
  await log.append(B, [started(B, 2), note('b1')]);
  await log.append(A, [note('a1')]);
  await log.append(C, [started(C, 3), finished(4)]);
  await log.append(B, [note('b2')]);
}
