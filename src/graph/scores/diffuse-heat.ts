import type { ToolId } from '../../core/index.js';
import type { GraphEdge, KnowledgeGraph, NodeKind } from '../knowledge-graph.js';

/** What is left of heat after a step, besides the weight of the edge; each in [0, 1]. */
export interface HeatDecay {
  readonly sameLevel: number;
  /** From what is contained to what contains it. */
  readonly up: number;
  readonly down: number;
}

const HEAT_DECAY: HeatDecay = { sameLevel: 0.9, up: 0.7, down: 0.5 };

export interface HeatOptions {
  readonly decay?: HeatDecay;
  readonly steps?: number;
}

const STEPS = 3;
/** Less than this goes no further. */
const LEAST_HEAT = 0.01;

/** Tools, capabilities made of them, capabilities made of those. */
const LEVELS: Readonly<Record<NodeKind, number>> = {
  tool: 0,
  operation: 0,
  capability: 1,
  meta: 2,
};

/**
 * How warm nodes become when some are: heat goes along edges to what comes next, up to what contains
 * a node and down to what it contains. Every heat is in [0, 1]. What comes over several edges adds up
 * as chances do, `1 − (1 − a)(1 − b)`, so that no number of weak neighbours makes a certainty.
 */
export function diffuseHeat(
  graph: KnowledgeGraph,
  sources: ReadonlyMap<ToolId, number>,
  { decay = HEAT_DECAY, steps = STEPS }: HeatOptions = {},
): ReadonlyMap<ToolId, number> {
  let heats = sources;
  for (let step = 0; step < steps; step++) {
    const cold = new Map<ToolId, number>();
    for (const [id, heat] of sources) cold.set(id, 1 - heat);
    for (const [id, heat] of heats) {
      if (heat < LEAST_HEAT) continue;
      for (const [to, share] of waysOfHeat(graph, id, decay)) {
        cold.set(to, (cold.get(to) ?? 1) * (1 - heat * share));
      }
    }
    heats = new Map(Array.from(cold, ([id, left]) => [id, 1 - left]));
  }
  return heats;
}

function* waysOfHeat(
  graph: KnowledgeGraph,
  id: ToolId,
  decay: HeatDecay,
): Generator<readonly [ToolId, number]> {
  for (const edge of graph.out(id)) yield [edge.to, edge.weight * decayAlong(graph, edge, decay)];
  for (const { from, weight } of graph.in(id, ['contains'])) yield [from, weight * decay.up];
}

function decayAlong(graph: KnowledgeGraph, { from, to, type }: GraphEdge, decay: HeatDecay) {
  if (type === 'contains') return decay.down;
  const rise = levelOf(graph, to) - levelOf(graph, from);
  if (rise === 0) return decay.sameLevel;
  return rise > 0 ? decay.up : decay.down;
}

function levelOf(graph: KnowledgeGraph, id: ToolId): number {
  return LEVELS[graph.node(id)?.kind ?? 'tool'];
}
