import { type Logger, messageOf } from '../core/index.js';

/** PGlite has neither checkpointer nor autovacuum: without this the log grows until the next start. */
const INTERVAL_MS = 5 * 60 * 1000;

/**
 * Runs `upkeep` again and again, never two at a time, without keeping the process alive.
 * Returns the function that stops it and waits for the one under way.
 */
export function scheduleMaintenance(
  upkeep: () => Promise<void>,
  { logger, intervalMs = INTERVAL_MS }: { logger: Logger; intervalMs?: number },
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= upkeep()
      .catch((error: unknown) => logger.warn('store upkeep failed', { error: messageOf(error) }))
      .finally(() => {
        running = undefined;
      });
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
