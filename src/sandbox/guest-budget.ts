import type { SandboxLimit, SandboxLimits } from '../core/index.js';

/** Node is asked how much the process computed only once this much time has gone by. */
const LOOK_AT_PARENT_EVERY_MS = 200;

/** What a script may still use, looked at by the engine every few thousand steps. */
export class GuestBudget {
  readonly #memory: () => number;
  readonly #parent = process.ppid;
  #cpuLeftMs = Infinity;
  #memoryBytes = Infinity;
  #turnStartedAt = 0;
  #turnStartedCpu = process.cpuUsage();
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
    this.#cpuLeftMs = cpuMs;
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
    this.#turnStartedCpu = process.cpuUsage();
  }

  endTurn(): void {
    this.#cpuLeftMs -= Math.min(performance.now() - this.#turnStartedAt, this.#turnCpuMs());
  }

  /** Whether the guest must not go on. */
  isUsedUp(): boolean {
    if (this.#stopped !== undefined || this.#hasEnded) return true;
    const now = performance.now();
    if (now - this.#turnStartedAt > this.#cpuLeftMs && this.#turnCpuMs() > this.#cpuLeftMs)
      this.stop('cpu');
    if (this.#memory() > this.#memoryBytes) this.stop('memory');
    if (now - this.#lookedAt > LOOK_AT_PARENT_EVERY_MS) {
      this.#lookedAt = now;
      if (process.ppid !== this.#parent) process.exit(0);
    }
    return this.#stopped !== undefined;
  }

  /** Other processes may have had the processor: time on the wall is not time used. */
  #turnCpuMs(): number {
    const { user, system } = process.cpuUsage(this.#turnStartedCpu);
    return (user + system) / 1000;
  }
}
