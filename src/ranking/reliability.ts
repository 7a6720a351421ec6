import type { PastCall, ToolId } from '../core/index.js';

/** A tool without calls is assumed to succeed this often; doubt needs this many calls. */
const USUAL_SUCCESS = 0.9;
const PRIOR_CALLS = 10;

/** How often calls of each tool succeeded. */
export class Reliability {
  readonly #calls = new Map<ToolId, { made: number; worked: number }>();

  add(calls: readonly PastCall[]): void {
    for (const { tool, ok } of calls) {
      const { made, worked } = this.#calls.get(tool) ?? { made: 0, worked: 0 };
      this.#calls.set(tool, { made: made + 1, worked: worked + (ok ? 1 : 0) });
    }
  }

  /** The share of calls expected to succeed. */
  rate(tool: ToolId): number {
    const { made, worked } = this.#calls.get(tool) ?? { made: 0, worked: 0 };
    return (worked + USUAL_SUCCESS * PRIOR_CALLS) / (made + PRIOR_CALLS);
  }

  /** Below 0 for tools that fail more than usual. Success is expected and earns nothing. */
  signal(tool: ToolId): number {
    return Math.min(0, Math.log(this.rate(tool) / USUAL_SUCCESS));
  }
}
