/** The resource limits of this process. Only Linux reports them. */
import { readFileSync } from 'node:fs';

/** The most files open at once; Node has raised it already. Undefined where it is unknown. */
export function fileLimit(): number | undefined {
  return readLimit('Max open files');
}

/**
 * The address space of the process. V8 and WebAssembly reserve far more of it than they use, and
 * end the process if a reservation fails.
 */
export function addressSpaceLimit(): number | undefined {
  return readLimit('Max address space');
}

function readLimit(name: string): number | undefined {
  const text = readLimits();
  const [, soft] = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(text) ?? [];
  if (soft === undefined) return undefined;
  return soft === 'unlimited' ? Infinity : Number(soft);
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return ''; // Another system, or no free file descriptor.
  }
}
