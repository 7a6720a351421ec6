import { PmlError } from '../../core/index.js';
import { codeOf, toStoreError } from '../store-errors.js';

/** Whatever the database fails with, as the journal promises it. */
export function toJournalError(doing: string, error: unknown): PmlError {
  if (error instanceof PmlError && error.code === 'JOURNAL_FAILED') return error;
  const { message, details } = toStoreError(doing, error);
  return new PmlError('JOURNAL_FAILED', message, { cause: error, details });
}

export function hasAnotherOwner(run: string): PmlError {
  return new PmlError(
    'JOURNAL_FAILED',
    `Another process has run ${run}, or it is no longer in the journal. Nothing was added to it.`,
    { details: { run } },
  );
}

export function isClosed(): PmlError {
  return new PmlError('JOURNAL_FAILED', 'The run journal is closed');
}

/** Whether the fate of a statement is unknown: errors of the server itself have an SQLSTATE. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof PmlError) return false;
  const code = codeOf(error);
  return code === undefined || /^(E[A-Z]|08|57P)/.test(code);
}
