import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A text that stays the same while this process lives and differs for any later process with the
 * same pid. Undefined if no such process lives; a zombie is dead.
 */
export function processIdentity(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined;
  if (process.platform === 'linux') return linuxIdentity(pid);
  // Windows has no cheap identity; the pid alone must do there.
  return process.platform === 'win32' ? 'unknown' : psIdentity(pid);
}

export function isSameProcess(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

/** Whether a process of this identity ran since the machine started; false if unknown. */
export function isOfThisBoot(identity: string): boolean {
  const boot = bootId();
  return boot !== '' && identity.startsWith(`${boot}/`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a signal (SIGSTOP, Ctrl-Z) or a debugger suspends the process; false if unknown. */
export function isSuspended(pid: number): boolean {
  if (process.platform === 'win32') return false;
  const state = process.platform === 'linux' ? linuxStat(pid)[0] : psState(pid)?.state;
  return /^[Tt]/.test(state ?? '');
}

/** The fields behind the program name; none when the process is gone. */
function linuxStat(pid: number): readonly string[] {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  // The program name, in brackets, may hold spaces and brackets itself: count from the last one.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
}

function linuxIdentity(pid: number): string | undefined {
  const fields = linuxStat(pid);
  const [state] = fields;
  const startTicks = fields[19];
  if (state === undefined || startTicks === undefined || 'ZXx'.includes(state)) return undefined;
  // Ticks count from boot, so they repeat without the boot id.
  return `${bootId()}/${startTicks}`;
}

function bootId(): string {
  return readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function psIdentity(pid: number): string | undefined {
  const { state = '', started = '' } = psState(pid) ?? {};
  return started === '' || state.startsWith('Z') ? undefined : started;
}

function psState(pid: number): { state: string; started: string } | undefined {
  try {
    const stdout = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    });
    const [, state = '', started = ''] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(stdout) ?? [];
    return { state, started };
  } catch {
    return undefined; // ps fails when the process is gone.
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // The process ended meanwhile, or this system has no such file.
  }
}
