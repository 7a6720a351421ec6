import type { ToolId } from '../../core/index.js';
import type { FeatureMemory, ToolRecord } from './feature-memory.js';

/** A path through tools: its steps in order, and which step takes values of which. */
export interface StepPath {
  readonly steps: readonly ToolId[];
  readonly links: readonly { readonly from: ToolId; readonly to: ToolId }[];
}

export interface PathSuccess {
  /** That every step of the path ends well. */
  readonly probability: number;
  /** How much less likely that is than for tools that fail as seldom as usual; 1 for no less. */
  readonly againstUsual: number;
  /** Past runs that this is based on: of the step that the fewest runs called. */
  readonly runs: number;
  /** The step that is the likeliest to fail. */
  readonly weakest: { readonly tool: ToolId; readonly probability: number } & ToolRecord;
}

/** What a store without failures makes likely; so many runs are needed to doubt it. */
const USUAL = { delivered: 0.97, runs: 20 };
/** As if so many runs of a tool were like those of all tools. */
const PRIOR_RUNS = 10;
/** As if so many runs of two tools were like all runs of the second. */
const PRIOR_FOLLOWED = 5;

/**
 * How likely a whole path succeeds: the reliability of each step after what it takes values of. Little
 * evidence stays near what all tools do. Past runs of the same tools do not count as a whole: a run that
 * fails half way never calls the rest. Undefined if no past run called any of its tools.
 */
export function predictPathSuccess(
  { steps, links }: StepPath,
  memory: FeatureMemory,
): PathSuccess | undefined {
  const tools = [...new Set(steps)];
  const runs = tools.map((tool) => memory.of(tool)?.runs ?? 0);
  if (tools.length === 0 || Math.max(...runs) === 0) return undefined;
  const usual = usualDelivery(memory);
  const chances = tools.map((tool, place) => {
    const givers = links.flatMap(({ from, to }) => (to === tool ? [from] : []));
    return stepChance(tool, [...givers, ...tools.slice(0, place)], { memory, usual });
  });
  const least = Math.min(...chances);
  const weakest = tools[chances.indexOf(least)]!;
  return {
    probability: chances.reduce((all, one) => all * one, 1),
    againstUsual: chances.reduce((all, one) => all * Math.min(1, one / usual), 1),
    runs: Math.min(...runs),
    weakest: { tool: weakest, probability: least, ...memory.recordOf(weakest) },
  };
}

function usualDelivery(memory: FeatureMemory): number {
  const { runs, delivered } = memory.allRuns;
  return (delivered + USUAL.delivered * USUAL.runs) / (runs + USUAL.runs);
}

/** That a step ends well after those before it: after the one that changes most of it. */
function stepChance(
  tool: ToolId,
  before: readonly ToolId[],
  { memory, usual }: { readonly memory: FeatureMemory; readonly usual: number },
): number {
  const { runs = 0, delivered = 0 } = memory.of(tool) ?? {};
  const alone = (delivered + usual * PRIOR_RUNS) / (runs + PRIOR_RUNS);
  return before.reduce((chance, first) => {
    const pair = memory.pair(first, tool);
    const after = (pair.delivered + alone * PRIOR_FOLLOWED) / (pair.followed + PRIOR_FOLLOWED);
    return Math.abs(after - alone) > Math.abs(chance - alone) ? after : chance;
  }, alone);
}
