import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type DataDir, prepareDataDir } from './data-dir.js';
import { clearStartError } from './start-error.js';

/**
 * Baseline code at once: most sessions end before the optimizer has seen enough. And only baseline
 * code for WebAssembly: the optimized code of the database takes 60 MB and never pays off.
 */
const CODE_FLAGS = ['--always-sparkplug', '--liftoff-only'];

/**
 * V8 lets a heap grow to several times what is in use before it collects, in each thread: a burst of
 * calls took 170 MB that way. `npm run bench -- gateway` shows memory and calls a second.
 */
const HEAP_FLAGS = [
  '--max-semi-space-size=8',
  '--initial-old-space-size=40',
  '--heap-growing-percent=20',
];

const MAX_LOG_BYTES = 10_000_000;
const LOG_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

export interface DaemonCommand extends DataDir {
  readonly config: string;
  /** How the configuration was found; decides whether it needs trust. */
  readonly origin: string;
}

export function daemonLogPath(dataDir: string): string {
  return join(dataDir, 'logs', 'daemon.log');
}

/**
 * Starts a detached daemon: it survives us and our terminal. The daemon itself finds out whether it
 * becomes the owner of the data directory; if another one is, it ends at once. Throws
 * `DATA_DIR_REFUSED` before anything is written to a directory that may not be used.
 */
export function startDaemon(command: DaemonCommand): void {
  const { dataDir, home, config, origin } = command;
  prepareDataDir(command);
  mkdirSync(dirname(daemonLogPath(dataDir)), { recursive: true, mode: 0o700 });
  clearStartError(dataDir);
  const log = openLog(daemonLogPath(dataDir));
  const cli = fileURLToPath(new URL('../cli.js', import.meta.url));
  const options = { 'data-dir': dataDir, home, config, origin };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const args = [...CODE_FLAGS, ...HEAP_FLAGS, cli, 'daemon', ...given];
  // The launcher ends at once, so the daemon is detached: killing our process tree spares it.
  const launcher = fileURLToPath(new URL('launch.js', import.meta.url));
  try {
    spawn(process.execPath, [launcher, process.execPath, ...args], {
      detached: true,
      stdio: ['ignore', 'ignore', log],
      windowsHide: true,
      cwd: dataDir,
    }).unref();
  } finally {
    closeSync(log);
  }
}

/** The log rotates between daemons; while one runs it writes too little to matter. */
function openLog(path: string): number {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  const log = openSync(path, LOG_FLAGS, 0o600);
  fchmodSync(log, 0o600);
  return log;
}
