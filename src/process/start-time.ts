import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as text that never changes while it lives. Together with its pid it
 * names one process for good: a pid alone may already belong to another one.
 */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isZombie = fields[0] === 'Z';
      return isZombie ? undefined : fields[19];
    }
    if (process.platform === 'win32') {
      process.kill(pid, 0);
      return 'alive';
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return started.trim() || undefined;
  } catch {
    return undefined; // No such process, or not ours to see: both mean we cannot vouch for it.
  }
}

export function isSameProcess(pid: number, startTime: string): boolean {
  return processStartTime(pid) === startTime;
}
