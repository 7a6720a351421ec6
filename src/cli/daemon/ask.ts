import type { ControlMethod, ControlParams, ControlResult } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { nowMs, pause } from '../print/clock.js';
import { askControl } from './ask-control.js';
import { type Located, locate, type LocateOptions } from './locate.js';
import { noticeBuild } from './other-build.js';

const START_TIMEOUT_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** The options every command that talks to the daemon has. */
export interface DaemonFlags extends LocateOptions {
  readonly json?: boolean;
}

/** Asks the daemon of this configuration; undefined when none runs. */
export async function ask<M extends ControlMethod>(
  flags: LocateOptions,
  method: M,
  params: ControlParams<M>,
): Promise<{ located: Located; answer: ControlResult<M> | undefined }> {
  const located = await locate(flags);
  const { dataDir, path: config } = located;
  const answer = await askControl(dataDir, method, params, { config, onGreeting: noticeBuild });
  return { located, answer };
}

/** Like `ask`, but starts the daemon when none runs. */
export async function askStarted<M extends ControlMethod>(
  flags: LocateOptions,
  method: M,
  params: ControlParams<M>,
): Promise<{ located: Located; answer: ControlResult<M>; wasStarted: boolean }> {
  const { located, answer } = await ask(flags, method, params);
  if (answer) return { located, answer, wasStarted: false };
  // Loaded only where a daemon has to be started.
  const { assertUsable } = await import('../../config/assert-usable.js');
  const { daemonLogPath, startDaemon } = await import('../../daemon/start-daemon.js');
  const { readStartError } = await import('../../daemon/start-error.js');
  await assertUsable(located.path, located.origin);
  const { dataDir, path: config } = located;
  startDaemon({ ...located, config });
  const deadline = nowMs() + START_TIMEOUT_MS;
  while (nowMs() < deadline) {
    await pause(LOOK_AGAIN_MS);
    const problem = readStartError(dataDir);
    if (problem) throw problem;
    const later = await askControl(dataDir, method, params, { config });
    if (later) return { located, answer: later, wasStarted: true };
  }
  throw new PmlError(
    'DAEMON_UNREACHABLE',
    `The daemon did not start within ${START_TIMEOUT_MS / 1000} s. Its log: ${daemonLogPath(dataDir)}`,
  );
}
