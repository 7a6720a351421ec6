/** What one would do without planning anything: the least that planning has to beat. */
import type { ExecutionTrace, ToolId } from '../../src/core/index.js';
import type { Suggestion } from '../../src/suggest/index.js';
import { splitPair } from '../../src/suggest/past/past-plan.js';
import { nameIn, type PlanAnswer } from './plan-answers.js';
import type { ToolSet } from './tool-set.js';

/** The plan of the past request most alike, as it was. */
export function copyOfNearest(id: string, { evidence }: Suggestion, toolSet: ToolSet): PlanAnswer {
  const plan = evidence.similar[0]?.plan;
  return {
    id,
    nodes: (plan?.tools ?? []).map((tool) => nameIn(toolSet, tool)),
    edges: [...(plan?.flows ?? [])].map((key) => {
      const [from, to] = splitPair(key);
      return [nameIn(toolSet, from!), nameIn(toolSet, to!)];
    }),
  };
}

/** How often each tool came right after another; repetitions right after each other count once. */
export class Followers {
  readonly #counts = new Map<ToolId, Map<ToolId, number>>();

  constructor(traces: readonly ExecutionTrace[]) {
    for (const { calls } of traces) {
      calls.forEach(({ tool }, place) => {
        const before = calls[place - 1]?.tool;
        if (before === undefined || before === tool) return;
        const counts = this.#counts.get(before) ?? new Map<ToolId, number>();
        this.#counts.set(before, counts.set(tool, (counts.get(tool) ?? 0) + 1));
      });
    }
  }

  /** What followed the last one, most often first; then what the intent wants and is not done; then the rest. */
  rank(done: readonly ToolId[], ranked: readonly ToolId[]): readonly ToolId[] {
    const last = done.at(-1);
    const counts = (last !== undefined && this.#counts.get(last)) || new Map<ToolId, number>();
    const isDone = new Set(done);
    const placeOf = new Map(ranked.map((tool, place) => [tool, place]));
    const place = (tool: ToolId) => placeOf.get(tool) ?? Infinity;
    const followers = [...counts]
      .toSorted(([a, one], [b, other]) => other - one || (place(a) < place(b) ? -1 : 1))
      .map(([tool]) => tool);
    const open = ranked.filter((tool) => !isDone.has(tool));
    const order = new Set([...followers, ...open, ...ranked]);
    return [...order].filter((tool) => tool !== last);
  }
}
