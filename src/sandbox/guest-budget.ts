import type { SandboxLimit, SandboxLimits } from '../core/index.js';

const LOOK_AT_PARENT_EVERY_MS = 200;

/** What a script may still use, looked at by the engine every few thousand steps. */
export class GuestBudget {
  readonly #memory: () => number;
  readonly #parent = process.ppid;
  #cpuMs = Infinity;
  #memoryBytes = Infinity;
  #busyMs = 0;
  #turnStartedAt = 0;
  #cpuAtStart = process.cpuUsage();
  #lookedAt = 0;
  #stopped: SandboxLimit | undefined;
  #hasEnded = false;

  /** `memory` tells the size of the engine's memory. */
  constructor(memory: () => number) {
    this.#memory = memory;
  }

  get stopped(): SandboxLimit | undefined {
    return this.#stopped;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  begin({ cpuMs }: SandboxLimits, memoryBytes: number): void {
    this.#cpuMs = cpuMs;
    this.#cpuAtStart = process.cpuUsage();
    this.#memoryBytes = memoryBytes;
  }

  /** The first reason counts. */
  stop(limit: SandboxLimit): void {
    if (!this.#hasEnded) this.#stopped ??= limit;
  }

  end(): void {
    this.#hasEnded = true;
  }

  startTurn(): void {
    this.#turnStartedAt = performance.now();
  }

  endTurn(): void {
    this.#busyMs += performance.now() - this.#turnStartedAt;
  }

  /** Whether the guest must not go on. */
  isUsedUp(): boolean {
    if (this.#stopped !== undefined || this.#hasEnded) return true;
    const now = performance.now();
    const busyMs = this.#busyMs + now - this.#turnStartedAt;
    // Other processes may have had the processor: time on the wall is not time used.
    if (busyMs > this.#cpuMs && this.#usedCpuMs() > this.#cpuMs) this.stop('cpu');
    if (this.#memory() > this.#memoryBytes) this.stop('memory');
    if (now - this.#lookedAt > LOOK_AT_PARENT_EVERY_MS) {
      this.#lookedAt = now;
      if (process.ppid !== this.#parent) process.exit(0);
    }
    return this.#stopped !== undefined;
  }

  #usedCpuMs(): number {
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    return (user + system) / 1000;
  }
}
