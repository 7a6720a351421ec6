import type { RemoteSignIns } from '../../auth/index.js';
import type { LoadedConfig } from '../../config/load.js';
import type { Logger } from '../../core/index.js';
import { collectGarbage } from '../../process/index.js';
import type { Store } from '../../store/index.js';
import type { Engine } from '../engine.js';
import { followSignIns } from './follow-sign-ins.js';
import { lookAtProcess, tendMemory } from './tend-memory.js';
import { tendResults } from './tend-results.js';
import { tendRuns } from './tend-runs.js';
import { DailyVerifier } from './verify-daily.js';

interface TendOptions {
  readonly config: () => LoadedConfig;
  readonly store: Store | undefined;
  readonly signIns: RemoteSignIns;
  readonly log: Logger;
}

/** What is done from time to time while the daemon runs: forget, verify, give memory back. */
export function tendDaemon(
  { discovery, workflows, results }: Engine,
  { config, store, signIns, log }: TendOptions,
): () => void {
  const all = [
    tendRuns(workflows, {
      policy: () => config().file.workflows,
      isShared: store?.runLog !== undefined,
      log,
    }),
    tendResults(results, log),
    store?.sharedSignIns ? followSignIns(signIns, log) : () => {},
    new DailyVerifier(workflows, {
      isWanted: () => config().file.capabilities.verifyDaily,
      log,
      now: () => Date.now(),
    }).start(),
    tendMemory({
      look: lookAtProcess,
      async tidy() {
        await store?.tidy();
        await collectGarbage();
      },
      // While PML learns, the examples stay in use: a collection would free little and delay requests.
      collect: async () => {
        const isLearning = discovery.status.isLearning ?? workflows.suggester.status.isLearning;
        if (isLearning) return 'later';
        await collectGarbage();
        return 'collected';
      },
      log,
    }),
  ];
  return () => all.forEach((stop) => stop());
}
