import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A text that is the same as long as this very process lives and differs for any later process
 * with the same pid. Undefined when no such process lives; a zombie is dead.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  if (process.platform === 'linux') return linuxIdentity(pid);
  if (process.platform === 'win32') return 'unknown';
  return psIdentity(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function linuxIdentity(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The program name, in brackets, may hold spaces and brackets itself: count from the last one.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields ?? [];
  const startTicks = fields?.[19];
  if (state === undefined || startTicks === undefined || 'ZXx'.includes(state)) return undefined;
  // Ticks count from boot, so without the boot they repeat.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}/${startTicks}`;
}

async function psIdentity(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [, state = '', started = ''] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(stdout) ?? [];
    return started === '' || state.startsWith('Z') ? undefined : started;
  } catch {
    // ps fails when the process is gone.
    return undefined;
  }
}
