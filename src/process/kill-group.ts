import { spawnSync } from 'node:child_process';

/** Signals a process and everything it started. Returns false when nothing is left to signal. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') {
    const force = signal === 'SIGKILL' ? ['/F'] : [];
    return spawnSync('taskkill', ['/PID', String(pid), '/T', ...force]).status === 0;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false; // ESRCH: the group is gone, which is what the caller wanted.
  }
}

/** Whether any process of the group is alive. */
export function isGroupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
