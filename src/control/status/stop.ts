import type { ControlParams } from '../contract.js';
import type { StopAnswer } from '../contract/status.js';

interface StoppableDaemon {
  readonly clientCount: number;
  stop(reason: string): void;
}

export async function stop(
  daemon: StoppableDaemon,
  { ifUnused = false }: ControlParams<'stop'>,
): Promise<StopAnswer> {
  if (ifUnused && daemon.clientCount > 0) return { stopping: false, clients: daemon.clientCount };
  // Answer first: the connection ends with the daemon.
  setTimeout(() => daemon.stop('asked to'), 20);
  return { stopping: true, pid: process.pid };
}
