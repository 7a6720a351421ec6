import { spawn } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DAEMON_FLAGS, flagArguments } from './code-flags.js';
import { type DataDir, prepareDataDir } from './data-dir.js';
import { clearStartError } from './start-error.js';

/**
 * Threads that help V8 to collect and compile leave one core to the loop. With Node's default of four,
 * a daemon that learns on two cores waits for its own helpers, and so do its clients.
 */
const HELPER_FLAG = `--v8-pool-size=${Math.max(1, Math.min(4, availableParallelism() - 1))}`;

/** Memory that threads gave back would otherwise stay in many arenas of the C library. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };

const SHELL = '/bin/sh';
/**
 * Fails at once if the program is gone, as after an upgrade of Node. A shell sets `PWD` to the folder that
 * it is in, so it gets the value back that a configuration may refer to.
 */
const IN_BACKGROUND = `
if [ -n "$1" ]; then PWD=$1; export PWD; else unset PWD; fi
shift
[ -x "$1" ] || exit 127
"$@" &
`;

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
  const args = [...flagArguments(DAEMON_FLAGS), HELPER_FLAG, cli, 'daemon', ...given];
  const program = [process.execPath, ...args];
  try {
    launch(hasShell() ? byShell(program) : byNode(program), { log, dataDir });
  } finally {
    closeSync(log);
  }
}

type Command = readonly [string, ...string[]];

/**
 * A launcher starts the daemon and ends at once. So the daemon has no parent, and killing our process
 * tree spares it. The daemon is in the session of the ended launcher, without a terminal.
 */
function launch(
  [program, ...args]: Command,
  at: { readonly log: number; readonly dataDir: string },
) {
  const launcher = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'ignore', at.log],
    windowsHide: true,
    cwd: at.dataDir,
    env: { ...FEW_ARENAS, ...process.env },
  });
  // The relay looks for the daemon, starts it again, and reports that it does not listen.
  launcher.on('error', () => {});
  launcher.unref();
}

function hasShell(): boolean {
  if (process.platform === 'win32') return false;
  try {
    accessSync(SHELL, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A shell starts faster than a second Node process. It gets the program as parameters, so it reads none
 * of their characters as a command. It drops variables whose names are no identifiers.
 */
function byShell(program: readonly string[]): Command {
  return [SHELL, '-c', IN_BACKGROUND, 'pml', process.env['PWD'] ?? '', ...program];
}

function byNode(program: readonly string[]): Command {
  return [process.execPath, fileURLToPath(new URL('launch.js', import.meta.url)), ...program];
}

/** The log rotates between daemons; while one runs it writes too little to matter. */
function openLog(path: string): number {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  const log = openSync(path, LOG_FLAGS, 0o600);
  fchmodSync(log, 0o600);
  return log;
}
