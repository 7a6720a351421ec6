import { readFileSync } from 'node:fs';

/** What a process holds of memory. Linux only; elsewhere NaN. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  } catch {
    return NaN; // No /proc here.
  }
}
