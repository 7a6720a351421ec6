import { randomBytes } from 'node:crypto';

import { type RunLog, runId } from '../core/index.js';
import { errorType } from '../policy/index.js';
import { Runs } from '../runs/index.js';
import type { Gateway } from './gateway.js';
import { runSettings } from './run-settings.js';
import { rememberRun, runCaller, withoutBuiltIns } from './run-tools.js';

/** The runs of a gateway: called through its servers, by its rules, into its memory. */
export function createRuns(gateway: Gateway, log: Promise<RunLog>): Runs {
  return new Runs({
    log,
    callerFor: (run) => runCaller(gateway, run),
    settings: () => runSettings(gateway),
    errorType,
    newRunId: () => runId(`run_${randomBytes(9).toString('base64url')}`),
    now: () => Date.now(),
    logger: gateway.log,
    onFinished: (trace, state) => rememberRun(gateway, trace, state),
    onRecovered: (runs) =>
      gateway.recovered(
        runs.flatMap(({ trace, startedAt }) => {
          const telling = withoutBuiltIns(trace);
          return telling ? [{ trace: telling, startedAt }] : [];
        }),
      ),
  });
}
