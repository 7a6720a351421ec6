import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { clearStartError } from './start-error.js';

/**
 * Baseline code at once: most sessions end before the optimizer has seen enough. And only baseline
 * code for WebAssembly: the optimized code of the database takes 60 MB and pays for itself never.
 */
const NODE_FLAGS = ['--always-sparkplug', '--liftoff-only'];

const MAX_LOG_BYTES = 10_000_000;

export interface DaemonCommand {
  readonly dataDir: string;
  readonly config: string;
  /** How the configuration was found; decides whether it needs trust. */
  readonly origin: string;
}

export function daemonLogPath(dataDir: string): string {
  return join(dataDir, 'logs', 'daemon.log');
}

/**
 * Starts a daemon that belongs to nobody: it survives us and our terminal. Whether it becomes the
 * owner of the data directory it finds out itself; if another one is, it ends at once.
 */
export function startDaemon({ dataDir, config, origin }: DaemonCommand): void {
  mkdirSync(dirname(daemonLogPath(dataDir)), { recursive: true, mode: 0o700 });
  turnOverLog(daemonLogPath(dataDir));
  clearStartError(dataDir);
  const cli = fileURLToPath(new URL('../cli.js', import.meta.url));
  const args = [
    ...NODE_FLAGS,
    cli,
    'daemon',
    '--data-dir',
    dataDir,
    '--config',
    config,
    '--origin',
    origin,
  ];
  const options = { detached: true, stdio: 'ignore', windowsHide: true, cwd: dataDir } as const;
  if (process.platform === 'win32') {
    spawn(process.execPath, args, options).unref();
    return;
  }
  // The shell ends at once, so the daemon is nobody's child: ending our process tree spares it.
  const script = '"$@" </dev/null >/dev/null 2>>"$PML_DAEMON_LOG" &';
  const child = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, ...args], {
    ...options,
    env: { ...process.env, PML_DAEMON_LOG: daemonLogPath(dataDir) },
  });
  child.unref();
}

/** The log is turned over between daemons; while one runs it writes too little to matter. */
function turnOverLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
}
