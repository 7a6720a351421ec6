import { availableParallelism } from 'node:os';

import {
  type Logger,
  messageOf,
  type Sandbox,
  type SandboxEnd,
  type SandboxHost,
  type SandboxRunOptions,
  type SandboxScript,
} from '../core/index.js';
import { findGuestCode } from './guest-code.js';
import { limitWords } from './limit-words.js';
import { LiveScript } from './live-script.js';
import { Pool, type PoolSizes } from './pool.js';
import { planLaunch, type Protections } from './protections.js';
import { UsageWatch } from './usage-watch.js';

export interface SandboxOptions extends Partial<PoolSizes> {
  readonly log: Logger;
  /** Off only to measure its cost. */
  readonly bubblewrap?: boolean;
  /** Memory of all processes with a script together. Default: no limit. */
  readonly allMemoryBytes?: number;
}

export interface SandboxStatus {
  readonly protections: Protections;
  /** Whether PML monitors memory and CPU time of the processes from outside. */
  readonly isWatched: boolean;
  readonly processes: number;
  readonly inLine: number;
}

/** A sandbox that can report its confinement. */
export interface ProcessSandbox extends Sandbox {
  status(): Promise<SandboxStatus>;
}

/** How scripts are confined on this machine, without starting a lasting process. */
export async function findProtections(): Promise<Protections & { readonly isWatched: boolean }> {
  const { protections } = await planLaunch(await findGuestCode());
  return { ...protections, isWatched: UsageWatch.isPossible };
}

export function createSandbox({
  log,
  bubblewrap = true,
  allMemoryBytes = Infinity,
  ...sizes
}: SandboxOptions): ProcessSandbox {
  const watch = new UsageWatch(allMemoryBytes);
  return new PooledSandbox(
    { log, bubblewrap, watch },
    {
      processes: Math.max(4, availableParallelism()),
      mostProcesses: 64,
      warm: 1,
      idleMs: 30_000,
      ...sizes,
    },
  );
}

interface SandboxParts {
  readonly log: Logger;
  readonly bubblewrap: boolean;
  readonly watch: UsageWatch;
}

class PooledSandbox implements ProcessSandbox {
  readonly #log: Logger;
  readonly #sizes: PoolSizes;
  readonly #bubblewrap: boolean;
  readonly #watch: UsageWatch;
  #opened: Promise<{ pool: Pool; protections: Protections }> | undefined;

  constructor({ log, bubblewrap, watch }: SandboxParts, sizes: PoolSizes) {
    this.#watch = watch;
    this.#log = log;
    this.#bubblewrap = bubblewrap;
    this.#sizes = sizes;
  }

  async run(
    script: SandboxScript,
    host: SandboxHost,
    { limits, signal, depth = 0 }: SandboxRunOptions,
  ): Promise<SandboxEnd> {
    if (signal.aborted) return { status: 'aborted' };
    try {
      const { pool } = await this.#open();
      const guest = await pool.acquire(signal, depth);
      if (signal.aborted) {
        pool.putBack(guest);
        return { status: 'aborted' };
      }
      const onWaiting = (isWaiting: boolean) => pool.setWaiting(guest, isWaiting);
      const onEnd = () => pool.release(guest);
      const live = new LiveScript(guest, script, host, { limits, signal, onWaiting, onEnd });
      using _ = this.#watch.add(guest.pid, limits, (...limit) => live.stop(...limit));
      return await live.ended;
    } catch (error) {
      if (signal.aborted) return { status: 'aborted' };
      const message = `${limitWords('crash', limits)} (${messageOf(error)})`;
      return { status: 'stopped', limit: 'crash', message };
    }
  }

  async warmUp(): Promise<void> {
    const { pool } = await this.#open();
    await pool.warmUp();
  }

  async status(): Promise<SandboxStatus> {
    const { pool, protections } = await this.#open();
    const { size: processes, lineLength: inLine } = pool;
    return { protections, isWatched: UsageWatch.isPossible, processes, inLine };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch.close();
    const opened = await this.#opened;
    await opened?.pool.close();
  }

  #open() {
    this.#opened ??= findGuestCode()
      .then((code) => planLaunch(code, { bubblewrap: this.#bubblewrap }))
      .then((launch) => {
        this.#log.debug('sandbox', { ...launch.protections });
        return { pool: new Pool(launch, this.#sizes, this.#log), protections: launch.protections };
      });
    return this.#opened;
  }
}
