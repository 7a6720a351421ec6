import type { MissingTools } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { nowMs } from '../print/clock.js';
import { createProgress } from '../print/progress.js';

/** How long a listing of tools waits for servers that PML has not seen before. */
const PATIENCE_MS = 20_000;
const ASK_AGAIN_MS = 500;

/** Waits until the servers listed their tools, and names the pending ones on stderr. */
export async function awaitLists(flags: DaemonFlags, server: string | undefined): Promise<void> {
  const progress = createProgress(process.stderr);
  const deadline = nowMs() + PATIENCE_MS;
  for (;;) {
    const { answer } = await askStarted(flags, 'lists', { waitMs: ASK_AGAIN_MS });
    const awaited = answer.awaited.filter((name) => server === undefined || name === server);
    if (awaited.length === 0 || nowMs() > deadline) break;
    progress.show(`Waiting for the tools of ${awaited.map(visible).join(', ')} …`);
  }
  progress.end();
}

/** One line for each server whose tools are missing. */
export function describeMissing(missing: readonly MissingTools[]): string[] {
  return missing.map(
    ({ server, reason }) => `pml: the tools of ${visible(server)} are missing: ${visible(reason)}`,
  );
}
