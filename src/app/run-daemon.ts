import { assertUsable } from '../config/assert-usable.js';
import type { ConfigOrigin } from '../config/find.js';
import { secretsOf } from '../config/secrets.js';
import { messageOf } from '../core/index.js';
import { addressSpaceLimit } from '../process/index.js';
import { closeInOrder } from './close-in-order.js';
import { Daemon } from './daemon.js';
import { createLogger } from './logger.js';
import { BUILD, VERSION } from './version.js';
import { createLogWriter } from './write-log.js';

/** V8 and WebAssembly reserve tens of gigabytes of addresses, and use a few hundred megabytes. */
const COMFORTABLE_ADDRESS_SPACE = 40_000_000_000;

/** Warns at the start, because V8 aborts the process when it gets no addresses. */
export function describeScarcity(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= COMFORTABLE_ADDRESS_SPACE) return undefined;
  const megabytes = Math.round(limit / 1_048_576);
  return `address space is limited to ${megabytes} MB (ulimit -v): Node may end this daemon at any moment, and the store may not open. Remove the limit; limit memory itself instead (MemoryMax of a service)`;
}

export interface RunDaemonOptions {
  readonly config: string;
  readonly origin: ConfigOrigin;
  readonly lock: AsyncDisposable;
  /** Everything is loaded that the first lists need, and the store. */
  readonly onLoaded: () => void;
  /** How the previous daemon ended, if it did not log that itself. */
  readonly predecessor?: string;
}

/** Runs until a signal or a request stops it; then the data directory is free again. */
export async function runDaemon({
  config: path,
  origin,
  lock,
  onLoaded,
  predecessor,
}: RunDaemonOptions): Promise<void> {
  let config = await assertUsable(path, origin);
  let secrets = secretsOf(config);
  let daemon: Daemon | undefined;
  const log = createLogger({
    level: config.file.logLevel,
    write: createLogWriter(process.stderr),
    secrets: () => (daemon ? [...secrets, ...daemon.signIns.secrets] : secrets),
    now: () => new Date(),
  });
  if (predecessor) log.warn(predecessor);
  const scarcity = describeScarcity(addressSpaceLimit());
  if (scarcity) log.warn(scarcity);
  process.on('uncaughtException', (error) => log.error('uncaught', { error: error.stack }));
  process.on('unhandledRejection', (error) => log.error('unhandled', { error: messageOf(error) }));

  let stop: (reason: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => (stop = resolve));
  let isInOrder = false;
  // The log writes synchronously: a process that exits loses pending writes.
  process.on('exit', (code) => {
    if (!isInOrder) log.error('the daemon exits although nothing asked it to', { code });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop(signal));
  daemon = new Daemon({
    config,
    origin,
    env: process.env,
    version: VERSION,
    build: BUILD,
    log,
    onConfig: (next) => {
      config = next;
      secrets = secretsOf(next);
    },
    onStop: stop,
    onLoaded,
  });
  try {
    await daemon.start();
    log.info('stopping', { reason: await stopped });
  } finally {
    await daemon[Symbol.asyncDispose]();
    // A lock that cannot be released, such as a deleted one, must not keep the process.
    await closeInOrder(log, [() => lock[Symbol.asyncDispose]()]);
    isInOrder = true;
  }
  process.exit(0);
}
