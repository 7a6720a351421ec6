import type { ToolId } from '../../core/index.js';

/** The tools that followed the same steps, with counts. */
interface Followed {
  readonly times: Map<ToolId, number>;
  total: number;
}

/** The longest context, in steps. */
const CONTEXT = 2;

/** Counts how often a tool follows two steps, one step, or no step. */
export class StepCounts {
  readonly #followed = new Map<string, Followed>();

  add(steps: readonly ToolId[], by: 1 | -1 = 1): void {
    steps.forEach((tool, place) => {
      for (let length = 0; length <= Math.min(CONTEXT, place); length++) {
        this.#bump(keyOf(steps.slice(place - length, place)), tool, by);
      }
    });
  }

  /**
   * How likely each tool comes after `done`, with Witten-Bell smoothing: the fewer different tools
   * followed the same steps, the more these steps count. Shorter contexts share the rest.
   */
  chancesAfter(done: readonly ToolId[]): (tool: ToolId) => number {
    const levels: Followed[] = [];
    for (let length = 0; length <= Math.min(CONTEXT, done.length); length++) {
      const followed = this.#followed.get(keyOf(done.slice(done.length - length)));
      if (!followed) break;
      levels.push(followed);
    }
    return (tool) => {
      let chance = 0;
      for (const { times, total } of levels) {
        chance = ((times.get(tool) ?? 0) + times.size * chance) / (total + times.size);
      }
      return chance;
    };
  }

  #bump(key: string, tool: ToolId, by: 1 | -1): void {
    const own = this.#followed.get(key) ?? { times: new Map<ToolId, number>(), total: 0 };
    const times = (own.times.get(tool) ?? 0) + by;
    if (times > 0) own.times.set(tool, times);
    else own.times.delete(tool);
    own.total += by;
    if (own.total > 0) this.#followed.set(key, own);
    else this.#followed.delete(key);
  }
}

function keyOf(steps: readonly ToolId[]): string {
  return steps.join('\n');
}
