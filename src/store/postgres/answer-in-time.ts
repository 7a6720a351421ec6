import { PmlError } from '../../core/index.js';

/** After this time another process may own our runs. */
const ANSWER_WITHIN_MS = 30_000;

/** A hanging server looks like a slow one, so callers need a time limit. */
export async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = ANSWER_WITHIN_MS / 1000;
      reject(
        new PmlError('JOURNAL_FAILED', `The database gave no answer within ${seconds} seconds`),
      );
    }, ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
