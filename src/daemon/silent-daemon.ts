import { join } from 'node:path';

import { PmlError } from '../core/index.js';
import { isSuspended, lockOwner } from '../process/index.js';

export interface SilentDaemon {
  /** Undefined when no lock says whose socket it is. */
  readonly pid: number | undefined;
  readonly isSuspended: boolean;
}

/** What is known of a daemon that accepts connections and says nothing. */
export async function lookAtSilentDaemon(dataDir: string): Promise<SilentDaemon> {
  const owner = await lockOwner(join(dataDir, 'daemon.lock'));
  const pid = owner?.isAlive ? owner.pid : undefined;
  return { pid, isSuspended: pid !== undefined && isSuspended(pid) };
}

/** What is wrong with it, and what the user can do. */
export function describeSilence({ pid, isSuspended: suspended }: SilentDaemon): {
  readonly message: string;
  readonly fix: string;
} {
  if (pid === undefined) {
    return {
      message: 'a process listens on the socket of the daemon and does not answer',
      fix: 'Run pml doctor.',
    };
  }
  const end = process.platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill -9 ${pid}`;
  const ending = `${end} ends it, and the next command starts a new one`;
  return suspended
    ? {
        message: `the daemon (pid ${pid}) is suspended and does not answer`,
        fix: `Run kill -CONT ${pid} to let it continue; or ${ending}.`,
      }
    : {
        message: `the daemon (pid ${pid}) does not answer`,
        fix: `Run pml logs to see why; ${ending}.`,
      };
}

export async function silenceError(dataDir: string): Promise<PmlError> {
  const { message, fix } = describeSilence(await lookAtSilentDaemon(dataDir));
  return new PmlError('DAEMON_SILENT', `${message[0]?.toUpperCase()}${message.slice(1)}. ${fix}`);
}
