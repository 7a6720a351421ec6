/**
 * What spectral clusters and call frequency are worth for capabilities: procedures that past requests
 * repeat stand for capabilities, and a request half way asks which of them it is in.
 */
import type { ToolId } from '../../src/core/index.js';
import {
  diffuseHeat,
  KnowledgeGraph,
  type ShapedCapability,
  spectralClusters,
} from '../../src/graph/index.js';
import { overlapOf, shareInCluster } from '../../src/graph/scores/score-signals.js';
import { discoveryScore } from '../../src/graph/scores/scores.js';
import type { Row } from '../report.js';
import type { HalfWaySet } from './half-way.js';
import { lossRows } from './paired-rows.js';

interface Made {
  readonly tools: readonly ToolId[];
  readonly shape: ShapedCapability;
}

export function capabilityWorth({ name, memory, questions }: HalfWaySet): readonly Row[] {
  const made = madeCapabilities(memory.flatMap(({ traces }) => traces));
  const even = spectralClusters(made.map(({ shape }) => shape));
  const frequent = spectralClusters(
    made.map(({ shape }) => shape),
    { byFrequency: true },
  );
  const graph = new KnowledgeGraph();
  graph.setCapabilities(made.map(({ shape }) => shape));
  const asked = questions.flatMap(({ row, group, called }) => {
    const wanted = keyOf(row.traces[0]!.calls.map(({ tool }) => tool));
    const right = made.findIndex(({ tools }) => keyOf(tools) === wanted);
    return right < 0 ? [] : [{ group, called: new Set(called), right }];
  });
  const by = (scoreOf: (one: Made, called: ReadonlySet<ToolId>) => number) =>
    asked.map(({ called, right }) => {
      const scores = made.map((one) => scoreOf(one, called));
      // Equal scores share their places: an order that nothing tells must not help.
      const own = scores[right]!;
      const better = scores.filter((score) => score > own).length;
      const equal = scores.filter((score) => score === own).length;
      return 1 / (better + (equal + 1) / 2);
    });
  const plain = by(({ tools }, called) => overlapOf(tools, called));
  const clustered = (clusters: ReadonlyMap<ToolId, number>) =>
    by(({ tools }, called) =>
      discoveryScore(overlapOf(tools, called), shareInCluster(clusters, tools, called)),
    );
  const warmed = asked.map(({ called }) =>
    diffuseHeat(graph, new Map([...called].map((tool) => [tool, 1]))),
  );
  const byHeat = asked.map(({ called, right }, at) => {
    const heatOf = ({ shape, tools }: Made) =>
      overlapOf(tools, called) + (warmed[at]!.get(`cap:${shape.name}` as ToolId) ?? 0);
    const scores = made.map(heatOf);
    const better = scores.filter((score) => score > scores[right]!).length;
    const equal = scores.filter((score) => score === scores[right]!).length;
    return 1 / (better + (equal + 1) / 2);
  });
  const against = (what: string, found: readonly number[]) =>
    lossRows(
      `${name}: capabilities: ${what}`,
      asked.map(({ group }, at) => ({ group, whole: found[at]!, without: plain[at]! })),
    );
  const mean = plain.reduce((sum, value) => sum + value, 0) / Math.max(1, plain.length);
  const row = { name: `${name}: capabilities: made of procedures`, unit: 'capabilities' };
  return [
    { ...row, value: made.length, n: asked.length },
    {
      name: `${name}: capabilities: MRR by overlap alone`,
      value: 100 * mean,
      unit: '%',
      n: asked.length,
    },
    ...against('spectral clusters', clustered(even)),
    ...against('spectral clusters by frequency', clustered(frequent)),
    ...against('heat up to capabilities', byHeat),
  ];
}

const LEAST_TIMES = 2;
const MOST_CAPABILITIES = 400;

/** Procedures of two tools and more that were repeated. */
function madeCapabilities(
  traces: readonly { readonly calls: readonly { readonly tool: ToolId }[] }[],
): readonly Made[] {
  const byKey = new Map<string, { sequence: readonly ToolId[]; times: number }>();
  for (const { calls } of traces) {
    const sequence = calls.map(({ tool }) => tool);
    const key = keyOf(sequence);
    byKey.set(key, { sequence, times: (byKey.get(key)?.times ?? 0) + 1 });
  }
  return [...byKey.values()]
    .filter(({ sequence, times }) => times >= LEAST_TIMES && new Set(sequence).size >= 2)
    .slice(0, MOST_CAPABILITIES)
    .map(({ sequence }, at) => {
      const toolsUsed = [...new Set(sequence)];
      const current = { structure: null, contains: [], toolsUsed, sequence: [...sequence] };
      return { tools: toolsUsed, shape: { name: `made_${at}`, aliases: [], current } };
    });
}

function keyOf(tools: readonly ToolId[]): string {
  return [...new Set(tools)].toSorted().join('\n');
}
