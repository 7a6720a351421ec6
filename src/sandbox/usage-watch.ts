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
  readonly stop: (limit: SandboxLimit) => void;
}

/** Looks at processes from outside while scripts run in them, where the system lets us. */
export class UsageWatch {
  static readonly isPossible = process.platform === 'linux';
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;

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
    for (const { pid, limits, cpuAtStart, stop } of this.#watched) {
      const usage = readUsage(pid);
      if (usage === undefined) continue;
      const { memoryBytes, outputBytes, cpuMs } = limits;
      const mostBytes = memoryBytes + PROCESS_BYTES + COPIES_OF_OUTPUT * outputBytes;
      if (usage.rssBytes > mostBytes) stop('memory');
      else if (usage.cpuMs - cpuAtStart > cpuMs + CPU_GRACE_MS) stop('cpu');
    }
  }
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
