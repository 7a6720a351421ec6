import { type Logger, messageOf } from '../core/index.js';

interface RepeatOptions {
  readonly everyMs: number;
  /** What the log says when it failed; it is tried again the next time. */
  readonly failure: string;
  readonly log: Logger;
}

/** Does something every now and then, never twice at a time. Disposal waits for what is under way. */
export function repeat(
  work: () => Promise<void>,
  { everyMs, failure, log }: RepeatOptions,
): AsyncDisposable {
  let under: Promise<void> | undefined;
  const timer = setInterval(() => {
    under ??= work()
      .catch((error: unknown) => log.warn(failure, { error: messageOf(error) }))
      .finally(() => (under = undefined));
  }, everyMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await under;
    },
  };
}
