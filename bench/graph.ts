/** What the knowledge graph costs as it grows, against the simplest way to get the same. */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { dijkstra } from 'graphology-shortest-path';

import type { ExecutionTrace, GraphDelta, ToolId } from '../src/core/index.js';
import { louvain, pagerank } from '../src/graph/clusters/graphology-algorithms.js';
import {
  cheapestHyperpath,
  computeMetrics,
  connection,
  ContractedPaths,
  diffuseHeat,
  graphOf,
  hyperedgesOf,
  KnowledgeGraph,
  NeighbourIndex,
  spectralClusters,
  strongestPath,
  waysOf,
} from '../src/graph/index.js';
import { seededRandom } from './data/seeded-random.js';
import { syntheticGraph, type SyntheticGraph } from './data/synthetic-graph.js';
import { createReport, median, type Report, type Row } from './report.js';

const SIZES = [200, 2_000, 20_000];
const CALLS_A_TRACE = 8;

export async function run(): Promise<Report> {
  // Warm-up: the first use of code is slower than all others.
  measure(200);
  return createReport('graph', SIZES.flatMap(measure));
}

function measure(size: number): readonly Row[] {
  const made = syntheticGraph(size);
  const repeats = size > 10_000 ? 3 : 11;
  const random = seededRandom(1);
  const pick = () => made.tools[Math.floor(random() * made.tools.length)] as ToolId;
  const before = usedBytes();
  const graph = load(made);
  const bytes = usedBytes() - before;
  const plain = plainGraph(made.delta);
  const compare = comparison(`${size} tools`);
  const index = new NeighbourIndex(waysOf(graph));
  const contracted = new ContractedPaths(graph);
  const pairs = Array.from({ length: repeats * 10 }, () => [pick(), pick()] as const);
  const hyperedges = hyperedgesOf(graph);
  const model = graph.model;
  const weight = { getEdgeWeight: 'weight' } as const;
  const tolerance = 1e-4 / size;
  // Only the first search pays for lazy reads, so it runs before the measurement.
  for (const [from, to] of pairs) {
    strongestPath(index, from, to);
    contracted.find(from, to);
  }
  let next = 0;
  const pair = () => pairs[next++ % pairs.length] as readonly [ToolId, ToolId];
  return [
    ...compare(
      'load',
      repeats,
      () => load(made),
      'maps of the same',
      () => plainGraph(made.delta),
    ),
    { name: `${size} tools: memory of the graph`, value: bytes / 2 ** 20, unit: 'MiB' },
    ...compare(
      'PageRank',
      repeats,
      () => pagerank(model, { ...weight, tolerance }),
      'a plain loop, 40 rounds',
      () => plainRanks(plain),
    ),
    ...compare(
      'Louvain',
      repeats,
      () => louvain(model, { ...weight, rng: seededRandom(1) }),
      'parts that hang together',
      () => plainParts(plain),
    ),
    ...compare('all metrics', repeats, () => computeMetrics(graph)),
    ...compare(
      'path of fewest steps',
      repeats * 10,
      () => connection(graph, ...pair()),
      'breadth first over maps',
      () => plainPath(plain, ...pair()),
    ),
    ...compare(
      'strongest path',
      repeats * 10,
      () => strongestPath(index, ...pair()),
      'Dijkstra of Graphology',
      () => dijkstra.bidirectional(model, ...pair(), (_edge, { weight: one }) => 1 / one),
    ),
    ...compare(
      'path in two phases',
      repeats * 10,
      () => contracted.find(...pair()),
      'strongest path',
      () => strongestPath(index, ...pair()),
    ),
    ...compare('hyperpath', repeats, () => cheapestHyperpath(hyperedges, ...startAndEnd(pair()))),
    ...compare(
      'add one execution',
      repeats * 10,
      () => graph.apply(graphOf([aTrace(pick)])),
      'rebuild',
      () => load(made),
      3,
    ),
    ...compare('add one execution, then a path', repeats * 3, () => {
      graph.apply(graphOf([aTrace(pick)]));
      return strongestPath(index, ...pair());
    }),
    ...compare(
      'heat from five tools',
      repeats,
      () => diffuseHeat(graph, new Map(Array.from({ length: 5 }, () => [pick(), 1]))),
      'every edge in three rounds',
      () => plainHeat(made.delta, pick()),
    ),
    ...compare(
      'spectral clusters',
      repeats,
      () => spectralClusters(made.capabilities),
      'overlap of all pairs',
      () => plainOverlaps(made),
    ),
  ];
}

/** Times two implementations alternately, so that both have the same conditions. */
function comparison(prefix: string) {
  return (
    name: string,
    n: number,
    ours: () => unknown,
    otherName?: string,
    other?: () => unknown,
    others = n,
  ): readonly Row[] => {
    const our: number[] = [];
    const their: number[] = [];
    for (let time = 0; time < n; time++) {
      our.push(timeOf(ours));
      if (other && time < others) their.push(timeOf(other));
    }
    const row = { name: `${prefix}: ${name}`, value: median(our), unit: 'ms', n };
    if (!other) return [row];
    const value = median(their);
    return [
      { name: `${prefix}: ${otherName}`, value, unit: 'ms', n: their.length },
      { ...row, ratio: row.value / value },
    ];
  };
}

function startAndEnd([from, to]: readonly [ToolId, ToolId]): [readonly ToolId[], ToolId] {
  return [[from], to];
}

function load({ delta, capabilities }: SyntheticGraph): KnowledgeGraph {
  const graph = new KnowledgeGraph();
  graph.apply(delta);
  graph.setCapabilities(capabilities);
  return graph;
}

function aTrace(pick: () => ToolId): ExecutionTrace {
  const calls = Array.from({ length: CALLS_A_TRACE }, () => ({ tool: pick(), ok: true, ms: 5 }));
  const bindings = calls.slice(1).map((_, place) => ({ from: place, to: place + 1 }));
  const at = new Date(0);
  return { id: 'one', intent: '', at, source: 'live', ok: true, calls, bindings };
}

type PlainGraph = ReadonlyMap<ToolId, ReadonlyMap<ToolId, number>>;

function plainGraph({ nodes, edges }: GraphDelta): PlainGraph {
  const after = new Map<ToolId, Map<ToolId, number>>(nodes.map(({ id }) => [id, new Map()]));
  for (const { from, to, observed } of edges) {
    const row = after.get(from) ?? new Map<ToolId, number>();
    after.set(from, row.set(to, (row.get(to) ?? 0) + observed));
  }
  return after;
}

function plainRanks(plain: PlainGraph): ReadonlyMap<ToolId, number> {
  let ranks = new Map<ToolId, number>(Array.from(plain.keys(), (id) => [id, 1 / plain.size]));
  for (let round = 0; round < 40; round++) {
    const next = new Map<ToolId, number>(Array.from(plain.keys(), (id) => [id, 0.15 / plain.size]));
    for (const [id, row] of plain) {
      const all = [...row.values()].reduce((sum, count) => sum + count, 0);
      for (const [to, count] of row) {
        next.set(to, (next.get(to) ?? 0) + (0.85 * (ranks.get(id) ?? 0) * count) / all);
      }
    }
    ranks = next;
  }
  return ranks;
}

function plainParts(plain: PlainGraph): number {
  const seen = new Set<ToolId>();
  let parts = 0;
  for (const id of plain.keys()) {
    if (seen.has(id)) continue;
    parts += 1;
    const part = new Set([id]);
    for (const one of part) {
      seen.add(one);
      for (const next of plain.get(one)?.keys() ?? []) if (!seen.has(next)) part.add(next);
    }
  }
  return parts;
}

function plainPath(plain: PlainGraph, from: ToolId, to: ToolId): readonly ToolId[] {
  const before = new Map<ToolId, ToolId | undefined>([[from, undefined]]);
  for (const id of before.keys()) {
    if (id === to) break;
    for (const next of plain.get(id)?.keys() ?? []) if (!before.has(next)) before.set(next, id);
  }
  const path: ToolId[] = [];
  for (let at: ToolId | undefined = to; at !== undefined; at = before.get(at)) path.unshift(at);
  return path;
}

function plainHeat({ edges }: GraphDelta, from: ToolId): ReadonlyMap<ToolId, number> {
  let heats = new Map<ToolId, number>([[from, 1]]);
  for (let round = 0; round < 3; round++) {
    const next = new Map(heats);
    for (const { from: warm, to } of edges) {
      next.set(to, Math.min(1, (next.get(to) ?? 0) + (heats.get(warm) ?? 0) * 0.5));
    }
    heats = next;
  }
  return heats;
}

function plainOverlaps({ capabilities }: SyntheticGraph): number {
  const sets = capabilities.map(({ current }) => new Set(current.toolsUsed));
  let alike = 0;
  for (const [place, one] of sets.entries()) {
    for (const other of sets.slice(place + 1)) for (const id of one) if (other.has(id)) alike += 1;
  }
  return alike;
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

/** Memory after garbage collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
