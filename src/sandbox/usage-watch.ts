import { readFileSync } from 'node:fs';

import { isAbsent, type SandboxLimit, type SandboxLimits } from '../core/index.js';

const LOOK_EVERY_MS = 200;
/** Node, the compiled engine, and copies of frames on their way. */
const PROCESS_BYTES = 224 * 1024 * 1024;
const COPIES_OF_OUTPUT = 4;
/** The engine stops a script by itself; this is for what it cannot interrupt. */
const CPU_GRACE_MS = 1_000;
/** Of Linux, whatever the kernel's own clock ticks at. */
const TICKS_PER_SECOND = 100;

interface Watched {
  readonly pid: number;
  readonly limits: SandboxLimits;
  readonly cpuAtStart: number;
  readonly stop: (limit: SandboxLimit, why?: string) => void;
}

interface Use {
  readonly one: Watched;
  readonly rssBytes: number;
}

/** Looks at processes from outside while scripts run in them, where the system lets us. */
export class UsageWatch {
  static readonly isPossible = process.platform === 'linux';
  readonly #watched = new Set<Watched>();
  readonly #mostBytes: number;
  #timer: NodeJS.Timeout | undefined;

  /** `mostBytes`: of all processes with a script together. */
  constructor(mostBytes = Infinity) {
    this.#mostBytes = mostBytes;
  }

  add(pid: number | undefined, limits: SandboxLimits, stop: Watched['stop']): Disposable {
    const usage = pid === undefined || !UsageWatch.isPossible ? undefined : readUsage(pid);
    if (pid === undefined || usage === undefined) return { [Symbol.dispose]() {} };
    const one: Watched = { pid, limits, cpuAtStart: usage.cpuMs, stop };
    this.#watched.add(one);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return {
      [Symbol.dispose]: () => {
        this.#watched.delete(one);
        if (this.#watched.size === 0) this.close();
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const uses: Use[] = [];
    for (const one of this.#watched) {
      const { pid, limits, cpuAtStart, stop } = one;
      const usage = readUsage(pid);
      if (usage === undefined) continue;
      uses.push({ one, rssBytes: usage.rssBytes });
      const { memoryBytes, outputBytes, cpuMs } = limits;
      const mostBytes = memoryBytes + PROCESS_BYTES + COPIES_OF_OUTPUT * outputBytes;
      if (usage.rssBytes > mostBytes) stop('memory');
      else if (usage.cpuMs - cpuAtStart > cpuMs + CPU_GRACE_MS) stop('cpu');
    }
    const largest = tooMuch(uses, this.#mostBytes);
    largest?.stop('memory', togetherWords(this.#mostBytes));
  }
}

/** The script to stop if all of them need too much memory together: the one with the most. */
export function tooMuch<T>(
  uses: readonly { readonly one: T; readonly rssBytes: number }[],
  mostBytes: number,
): T | undefined {
  const all = uses.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
  if (all <= mostBytes) return undefined;
  return uses.reduce((most, use) => (use.rssBytes > most.rssBytes ? use : most)).one;
}

function togetherWords(mostBytes: number): string {
  const mib = Math.round(mostBytes / 1024 / 1024);
  return `All scripts together needed more than ${mib} MiB of memory, and this one needed the most. Run fewer at once, or raise code.allMemoryBytes in the configuration.`;
}

/** Of the process and those below it: bubblewrap stands between us and Node. */
function readUsage(pid: number): { rssBytes: number; cpuMs: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything, in parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rssKib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    const own = { rssBytes: rssKib * 1024, cpuMs: (ticks * 1000) / TICKS_PER_SECOND };
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const child of children.filter(Boolean)) {
      const usage = readUsage(Number(child));
      own.rssBytes += usage?.rssBytes ?? 0;
      own.cpuMs += usage?.cpuMs ?? 0;
    }
    return own;
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
    throw error;
  }
}
