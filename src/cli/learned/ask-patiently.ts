import { setTimeout as delay } from 'node:timers/promises';

import type { ControlMethod, ControlParams, ControlResult } from '../../control/index.js';
import { ask, askStarted, type DaemonFlags } from '../daemon/ask.js';
import { count } from '../print/print.js';
import { createProgress } from '../print/progress.js';

const ASK_AGAIN_MS = 250;

/** Asks the daemon, and shows progress while it rebuilds the graph. */
export async function askPatiently<M extends ControlMethod>(
  flags: DaemonFlags,
  method: M,
  params: ControlParams<M>,
): Promise<ControlResult<M>> {
  const progress = createProgress(process.stderr);
  const done = new AbortController();
  const telling = tellProgress(flags, (line) => progress.show(line), done.signal);
  try {
    return (await askStarted(flags, method, params)).answer;
  } finally {
    done.abort();
    await telling;
    progress.end();
  }
}

async function tellProgress(
  flags: DaemonFlags,
  show: (line: string) => void,
  done: AbortSignal,
): Promise<void> {
  for (;;) {
    // Ends early when the answer arrives.
    await delay(ASK_AGAIN_MS, undefined, { signal: done }).catch(() => {});
    if (done.aborted) return;
    // The pending answer reports any error.
    const asked = await ask(flags, 'graph-progress', {}).catch(() => undefined);
    const rebuilding = asked?.answer?.rebuilding;
    if (done.aborted) return;
    if (rebuilding !== undefined) show(`making the graph: ${count(rebuilding)} executions`);
  }
}
