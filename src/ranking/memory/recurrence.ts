import type { ToolId } from '../../core/index.js';

/**
 * How often the same tool serves different requests. Memory helps with a new request only if tools
 * recur. If each tool served a single request, past requests mislead.
 */
export class Recurrence {
  /** The number of different requests that used each tool. */
  readonly #uses = new Map<ToolId, number>();
  #total = 0;
  #once = 0;

  add(tool: ToolId): void {
    const uses = this.#uses.get(tool) ?? 0;
    this.#uses.set(tool, uses + 1);
    this.#total += 1;
    if (uses === 0) this.#once += 1;
    if (uses === 1) this.#once -= 1;
  }

  remove(tool: ToolId): void {
    const uses = this.#uses.get(tool) ?? 0;
    if (uses === 0) return;
    if (uses === 1) this.#uses.delete(tool);
    else this.#uses.set(tool, uses - 1);
    this.#total -= 1;
    if (uses === 1) this.#once -= 1;
    if (uses === 2) this.#once += 1;
  }

  /**
   * The probability that a tool which a new request needs has served another request before. The
   * Good-Turing estimate: one minus the share of uses that are the only use of their tool.
   */
  get share(): number {
    return this.#total === 0 ? 0 : 1 - this.#once / this.#total;
  }
}
