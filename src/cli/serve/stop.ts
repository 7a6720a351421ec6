import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Command } from 'commander';

import { PmlError } from '../../core/errors.js';
import { isSameProcess, lockOwner, processIdentity } from '../../process/index.js';
import { askControl } from '../daemon/ask-control.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { locate } from '../daemon/locate.js';
import { print, printJson } from '../print/print.js';

const STOP_TIMEOUT_MS = 20_000;

export function stopCommand(): Command {
  return new Command('stop')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: DaemonFlags) => {
      const pid = await stopDaemon(flags);
      if (flags.json) printJson({ stopped: pid !== undefined, ...(pid && { pid }) });
      else print(pid === undefined ? 'No daemon was running.' : `Stopped the daemon (pid ${pid}).`);
    });
}

export function restartCommand(): Command {
  return new Command('restart')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: DaemonFlags) => {
      await stopDaemon(flags);
      const { answer } = await askStarted(flags, 'status', {});
      const { pid } = answer;
      if (flags.json) printJson({ pid });
      else print(`The daemon runs (pid ${pid}).`);
    });
}

/** Resolves when the process is gone; undefined when there was none. */
export async function stopDaemon(flags: DaemonFlags): Promise<number | undefined> {
  // Whatever configuration it serves: this is how a data directory is freed.
  const { dataDir } = await locate(flags);
  const status = await askWhenReady(dataDir);
  if (!status) return undefined;
  const { pid } = status;
  const started = processIdentity(pid);
  await askControl(dataDir, 'stop', {});
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (started !== undefined && isSameProcess(pid, started)) {
    if (performance.now() > deadline) {
      throw new PmlError('DAEMON_UNREACHABLE', `The daemon (pid ${pid}) does not end; kill it`);
    }
    await delay(20);
  }
  return pid;
}

/** A daemon that is still starting holds its lock but does not listen yet. */
async function askWhenReady(dataDir: string): Promise<{ readonly pid: number } | undefined> {
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  for (;;) {
    const status = await askControl(dataDir, 'status', {});
    if (status) return status;
    const owner = await lockOwner(join(dataDir, 'daemon.lock'));
    if (!owner?.isAlive) return undefined;
    if (performance.now() > deadline) {
      throw new PmlError(
        'DAEMON_UNREACHABLE',
        `The daemon (pid ${owner.pid}) is starting and does not answer; kill it`,
      );
    }
    await delay(20);
  }
}
