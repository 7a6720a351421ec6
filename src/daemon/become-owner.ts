import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { PmlError } from '../core/index.js';
import { acquireOwnerLock, lockOwner, type LockOwner } from '../process/index.js';
import { greetDaemon } from './connect.js';
import { PROTOCOL } from './hello.js';
import { socketPath } from './socket-path.js';

/** A daemon that is ending may wait for servers and close a store. */
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 25;

export interface Ownership {
  readonly lock: AsyncDisposable;
  /** The previous daemon, if it died without releasing its lock. */
  readonly predecessor?: LockOwner;
}

/**
 * Makes this process the one daemon of a data directory. Undefined when another one serves it. An
 * owner that does not answer is starting or ending, so we wait until it answers or is gone: else
 * the relay that started us would wait for a daemon that never comes.
 */
export async function becomeOwner(dataDir: string): Promise<Ownership | undefined> {
  const path = join(dataDir, 'daemon.lock');
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const before = await lockOwner(path);
      const lock = await acquireOwnerLock(path);
      return { lock, ...(before && !before.isAlive && { predecessor: before }) };
    } catch (error) {
      if (!(error instanceof PmlError) || error.code !== 'DATA_DIR_IN_USE') throw error;
    }
    if ((await isServed(dataDir)) || performance.now() > deadline) return undefined;
    await delay(LOOK_AGAIN_MS);
  }
}

async function isServed(dataDir: string): Promise<boolean> {
  const hello = { kind: 'control', protocol: PROTOCOL, version: '' } as const;
  try {
    const connection = await greetDaemon(socketPath(dataDir), hello);
    connection?.socket.destroy();
    return connection?.reply.ok === true;
  } catch (error) {
    if (error instanceof PmlError && error.code === 'DAEMON_SILENT') return false;
    throw error;
  }
}
