/** What each graph signal is worth while an agent works: half-way questions with and without it. */
import type { ExecutionTrace, ToolId } from '../../src/core/index.js';
import { pagerank } from '../../src/graph/clusters/graphology-algorithms.js';
import {
  computeMetrics,
  diffuseHeat,
  graphOf,
  KnowledgeGraph,
  type Metrics,
  SessionGraph,
} from '../../src/graph/index.js';
import { MEMORY_MODEL, type Model, namedSignals, SESSION_MODEL } from '../../src/ranking/index.js';
import type { Row } from '../report.js';
import { type Asking, type HalfWaySet, reciprocalPlace } from './half-way.js';
import { lossRows, type Pair } from './paired-rows.js';

/** Heat counts like the strongest graph signal. */
const HEAT_WEIGHT = 2;
const RANK_ERROR = 1e-4;

export function signalWorth({ name, set, memory, questions }: HalfWaySet): readonly Row[] {
  const remembering = set.remembering(memory);
  const known = knownOf(remembering.traces);
  const sessionWith = (metrics: Metrics) => {
    const { graph } = known;
    const options = { graph, metrics: () => metrics, capabilities: () => [], now: () => 0 };
    const session = new SessionGraph(options);
    return { ...remembering.sources, session: (called: readonly ToolId[]) => session.view(called) };
  };
  const { metrics } = known;
  const whole = { model: SESSION_MODEL, sources: sessionWith(metrics) };
  const without: Readonly<Record<string, Omit<Asking, 'called'>>> = {
    'the session (all below)': { ...whole, model: MEMORY_MODEL },
    'Adamic-Adar and edges (related)': { ...whole, model: modelWithout('related') },
    'what came next (next)': { ...whole, model: modelWithout('next') },
    PageRank: { ...whole, sources: sessionWith({ ...metrics, ranks: new Map(), highestRank: 0 }) },
    Louvain: { ...whole, sources: sessionWith({ ...metrics, communities: new Map() }) },
  };
  const instead: Readonly<Record<string, (called: readonly ToolId[]) => Omit<Asking, 'called'>>> = {
    'PageRank by frequency instead of uniform': () => ({
      ...whole,
      sources: sessionWith(byFrequency(known.graph, metrics)),
    }),
    'heat of the called tools, added': (called) => {
      const heat = diffuseHeat(known.graph, new Map(called.map((tool) => [tool, 1])));
      return { ...whole, added: (tool) => HEAT_WEIGHT * (heat.get(tool) ?? 0) };
    },
  };
  const base = questions.map((one) => reciprocalPlace(one, { ...whole, called: one.called }));
  const pairsOf = (answer: (at: number) => Pair) => questions.map((_, at) => answer(at));
  const mean = base.reduce((sum, value) => sum + value, 0) / Math.max(1, base.length);
  return [
    { name: `${name}: MRR with all`, value: 100 * mean, unit: '%', n: base.length },
    ...Object.entries(without).flatMap(([what, asking]) =>
      lossRows(
        `${name}: ${what}`,
        pairsOf((at) => {
          const one = questions[at]!;
          const value = reciprocalPlace(one, { ...asking, called: one.called });
          return { group: one.group, whole: base[at]!, without: value };
        }),
      ),
    ),
    ...Object.entries(instead).flatMap(([what, askingOf]) =>
      lossRows(
        `${name}: ${what}`,
        pairsOf((at) => {
          const one = questions[at]!;
          const value = reciprocalPlace(one, { ...askingOf(one.called), called: one.called });
          return { group: one.group, whole: value, without: base[at]! };
        }),
      ),
    ),
  ];
}

function knownOf(traces: readonly ExecutionTrace[]) {
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  return { graph, metrics: computeMetrics(graph) };
}

function modelWithout(signal: 'related' | 'next'): Model {
  const weights = Float64Array.from(SESSION_MODEL.weights);
  weights[Object.keys(namedSignals(weights)).indexOf(signal)] = 0;
  return { ...SESSION_MODEL, weights };
}

/** Ranks in which an edge counts as often as it was seen. */
function byFrequency(graph: KnowledgeGraph, metrics: Metrics): Metrics {
  const model = graph.model.copy();
  model.forEachEdge((edge, { weight, observed }) => {
    model.setEdgeAttribute(edge, 'weight', weight * Math.max(1, observed));
  });
  const tolerance = RANK_ERROR / Math.max(1, model.order);
  const found = pagerank(model as KnowledgeGraph['model'], { getEdgeWeight: 'weight', tolerance });
  const ranks = new Map(Object.entries(found) as [ToolId, number][]);
  return { ...metrics, ranks, highestRank: Math.max(0, ...ranks.values()) };
}
