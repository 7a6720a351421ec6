/**
 * How many capabilities have `provides` edges, what extracting them costs, and what they do to searches
 * for paths. Capabilities are code written from the plans of public sets, value by value.
 */
import { performance } from 'node:perf_hooks';

import { analyzeCode, parseCode } from '../../src/code/index.js';
import type { JsonValue, ToolId } from '../../src/core/index.js';
import { ContractedPaths, KnowledgeGraph, type ShapedCapability } from '../../src/graph/index.js';
import { dataFile } from '../data/kit.js';
import { readRows } from '../data/rows.js';
import { median, type Row } from '../report.js';

interface PlanRow {
  readonly gold?: readonly (readonly string[])[];
  readonly order?: readonly string[] | null;
  readonly edges?: readonly { readonly s: string; readonly t: string }[] | null;
}

const MOST = 400;
const SEARCHES = 300;
const REPEATS = 5;

export function providesEdges(name: string): readonly Row[] {
  const rows = (readRows(dataFile(name, 'queries.jsonl')) as readonly PlanRow[])
    .filter(({ order, gold }) => new Set(order ?? gold?.map(([first]) => first)).size > 1)
    .slice(0, MOST);
  const times: number[] = [];
  const capabilities = rows.map((row, at): ShapedCapability & { provides: number } => {
    const { code, tools } = codeOf(row);
    const began = performance.now();
    const { nodes, edges } = analyzeCode(parseCode(code));
    times.push(performance.now() - began);
    const provides = edges.filter(({ kind }) => kind === 'provides').length;
    // Through JSON, as the store keeps it.
    const structure = JSON.parse(JSON.stringify({ nodes, edges })) as JsonValue;
    const current = { structure, contains: [], toolsUsed: tools, sequence: [...tools] };
    return { name: `plan_${at}`, aliases: [], current, provides } as ShapedCapability & {
      provides: number;
    };
  });
  const with_ = capabilities.filter(({ provides }) => provides > 0).length;
  const row = (what: string, value: number, unit: string, n = rows.length): Row => {
    return { name: `${name}: ${what}`, value, unit, n };
  };
  const synced = Array.from({ length: REPEATS }, () => sync(capabilities));
  const { graph } = synced[0]!;
  const searched = searchTimes(graph, capabilities);
  return [
    row('capabilities with provides edges', (100 * with_) / Math.max(1, rows.length), '%'),
    row('extracting the structure, per capability', median(times), 'ms'),
    row('edges of the graph that come from capabilities', graph.size.edges, 'edges'),
    row('all capabilities into the graph', median(synced.map(({ ms }) => ms)), 'ms', REPEATS),
    row('path with capabilities as one node each', median(searched.times), 'ms', SEARCHES),
    row('paths found', (100 * searched.found) / SEARCHES, '%', SEARCHES),
  ];
}

/** The calls of a plan in order; what an edge says goes from one result into an argument of another. */
function codeOf({ order, gold = [], edges }: PlanRow) {
  const names = [...new Set(order && order.length > 0 ? order : gold.map(([first]) => first!))];
  const safe = (text: string) => `t_${text.replaceAll(/\W/g, '_')}`;
  const place = new Map(names.map((name, at) => [name, at]));
  const lines = names.map((name, at) => {
    const givers = (edges ?? []).flatMap(({ s, t }) => (t === name ? [place.get(s)] : []));
    const args = givers
      .filter((from): from is number => from !== undefined && from < at)
      .map((from) => `p${from}: r${from}.value`);
    return `const r${at} = await mcp.set.${safe(name)}({ ${args.join(', ')} });`;
  });
  const code = [...lines, `return r${names.length - 1};`].join('\n');
  return { code, tools: names.map((name) => `set:${safe(name)}` as ToolId) };
}

function sync(capabilities: readonly ShapedCapability[]) {
  const graph = new KnowledgeGraph();
  const began = performance.now();
  graph.setCapabilities(capabilities);
  return { graph, ms: performance.now() - began };
}

function searchTimes(graph: KnowledgeGraph, capabilities: readonly ShapedCapability[]) {
  const paths = new ContractedPaths(graph);
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < SEARCHES; at++) {
    const tools = capabilities[at % Math.max(1, capabilities.length)]?.current.toolsUsed ?? [];
    const [first, last] = [tools[0], tools.at(-1)];
    if (!first || !last) continue;
    const began = performance.now();
    if (paths.find(first, last)) found += 1;
    times.push(performance.now() - began);
  }
  return { times, found };
}
