import type { HeadPrior } from '../../src/attention/index.js';
import type { ExecutionTrace } from '../../src/core/index.js';
import { computeMetrics, KnowledgeGraph } from '../../src/graph/index.js';
import type { Prospects } from '../../src/suggest/index.js';
import type { ReplayPorts } from '../../src/suggest/learn/replay-plans.js';
import { noPause } from './examples.js';
import { id } from './graph-samples.js';
import { served } from './ready-discovery.js';
import { noPlannables, toolsBut } from './suggest-evidence.js';

/**
 * Requests for goals. Each goal is reached by a tool of its own, which takes values of two helpers. The
 * second signal of discovery names the goal, but the ranking hardly counts it: a decoy is likelier.
 */
const GOALS = 30;
const HELPERS = 9;

export const goalTool = (goal: number): string => `a:goal${goal}`;
export const helpersOf = (goal: number): readonly string[] => [
  `a:help${goal % HELPERS}`,
  `a:help${(goal * 2 + 1) % HELPERS}`,
];

const WORLD_PRIOR: HeadPrior = { weights: Float64Array.of(1, 0.1), isFixed: () => false };

const word = (place: number) =>
  `thing${String(place).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;

/** What discovery says of a request for a goal. */
export function prospectsOf(goal: number): Prospects {
  const candidate = (tool: string, probability: number, signals: readonly number[]) => {
    return { tool: id(tool), probability, signals: Float64Array.from(signals) };
  };
  return {
    likely: [
      candidate(`a:decoy${goal % 5}`, 0.3, [1, 0]),
      candidate(goalTool((goal + 7) % GOALS), 0.2, [0.8, 0]),
      candidate(goalTool(goal), 0.2, [0.8, 1]),
      candidate(goalTool((goal + 11) % GOALS), 0.1, [0.7, 0]),
    ],
    similar: [],
    trust: 0,
  };
}

export interface AttendedWorld {
  readonly traces: readonly ExecutionTrace[];
  readonly ports: ReplayPorts;
}

/** The goal that a request of the world is served with; another than it asks for where labels are shuffled. */
export function attendedWorld(
  count: number,
  servedGoal: (place: number) => number = (place) => place % GOALS,
): AttendedWorld {
  const traces = Array.from({ length: count }, (_, place) => {
    const goal = servedGoal(place) % GOALS;
    const tools = [...helpersOf(goal), goalTool(goal)];
    const bindings = [
      { from: 0, to: 2 },
      { from: 1, to: 2 },
    ];
    return served(`r${place}`, `${word(place % GOALS)} for ${word(place)}`, tools, { bindings });
  });
  const metrics = computeMetrics(new KnowledgeGraph());
  const ports: ReplayPorts = {
    toolOf: toolsBut(),
    serverTools: () => [],
    plannable: noPlannables,
    metrics: () => metrics,
    now: () => 0,
    pause: noPause,
    headPrior: () => WORLD_PRIOR,
    weighAgain: (run) => prospectsOf(Number(run.slice(1)) % GOALS),
  };
  return { traces, ports };
}
