import { messageOf } from '../core/index.js';
import { assertUsable } from './assert-usable.js';
import { Daemon } from './create-daemon.js';
import type { ConfigOrigin } from './find-config.js';
import { createLogger } from './logger.js';
import { secretsOf } from './secrets.js';
import { BUILD, VERSION } from './version.js';
import { createLogWriter } from './write-log.js';

export interface RunDaemonOptions {
  readonly config: string;
  readonly origin: ConfigOrigin;
  readonly lock: AsyncDisposable;
}

/** Runs until somebody asks it to stop; the data directory is free again when this ends. */
export async function runDaemon({ config: path, origin, lock }: RunDaemonOptions): Promise<void> {
  let config = await assertUsable(path, origin);
  let secrets = secretsOf(config);
  const log = createLogger({
    level: config.file.logLevel,
    write: createLogWriter(process.stderr),
    secrets: () => secrets,
    now: () => new Date(),
  });
  process.on('uncaughtException', (error) => log.error('uncaught', { error: error.stack }));
  process.on('unhandledRejection', (error) => log.error('unhandled', { error: messageOf(error) }));

  let stop: (reason: string) => void = () => {};
  const stopped = new Promise<string>((resolve) => (stop = resolve));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal));
  const daemon = new Daemon({
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
  });
  try {
    await daemon.start();
    log.info('stopping', { reason: await stopped });
  } finally {
    await daemon[Symbol.asyncDispose]();
    await lock[Symbol.asyncDispose]();
  }
  process.exit(0);
}
