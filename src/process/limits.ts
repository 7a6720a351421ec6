/** What the system lets this process have. Only Linux says. */
import { readFileSync } from 'node:fs';

/** How many files may be open at once. Node has raised it as far as it may. Undefined: nobody says. */
export function fileLimit(): number | undefined {
  return readLimit('Max open files');
}

/**
 * How much address space there is. V8 and WebAssembly reserve far more of it than they use, and end
 * the process where they do not get it.
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
    return ''; // Another system, or no file left to open.
  }
}
