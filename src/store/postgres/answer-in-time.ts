import { PmlError } from '../../core/index.js';

/** By then another process may have our runs. */
const ANSWER_WITHIN_MS = 30_000;

/** A server that hangs looks like one that works long; somebody waits for the answer. */
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
