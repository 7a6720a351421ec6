import type {
  GraphNodeDetails,
  GraphPath,
  GraphStats,
  PathStep,
  ShownEdge,
} from '../../control/index.js';
import type { GraphRebuilt } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { formatMs, localTime } from '../print/format-time.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

const KINDS = { tool: 'tools', operation: 'operations', capability: 'capabilities', meta: 'meta' };

export function describeGraph(stats: GraphStats): readonly string[] {
  const kinds = Object.entries(stats.nodes) as [keyof typeof KINDS, number][];
  const all = kinds.reduce((sum, [, one]) => sum + one, 0);
  const edges = stats.edges.reduce((sum, one) => sum + one.count, 0);
  if (all === 0) return ['The graph is empty: it grows with every execution of several tools.'];
  const parts = kinds
    .filter(([, one]) => one > 0)
    .map(([kind, one]) => `${count(one)} ${KINDS[kind]}`);
  return [
    `${count(all)} nodes (${parts.join(', ')}), ${count(edges)} edges, ${count(stats.communities)} communities, density ${stats.density.toPrecision(2)}.`,
    ...(stats.refused > 0
      ? [`${count(stats.refused)} edges are left out: with stronger ones they would close a cycle.`]
      : []),
    ...(stats.isStored ? [] : ['The store is not available: this is known until the daemon ends.']),
    '',
    ...table([
      ['edges', 'known from', 'count'].map(heading),
      ...stats.edges.map((one) => [one.type, one.source, count(one.count)]),
    ]).split('\n'),
    '',
    ...table([
      ['most central', 'importance', 'calls', 'failed', 'community'].map(heading),
      ...stats.central.map(({ id, importance, calls, failures, community }) => [
        visible(id),
        importance.toFixed(2),
        count(calls),
        count(failures),
        String(community),
      ]),
    ]).split('\n'),
  ];
}

export function describeGraphNode(details: GraphNodeDetails): readonly string[] {
  const { node, out } = details;
  const { id, kind, calls, failures, repeats, runs, totalMs, lastAt } = node;
  const told =
    calls === 0
      ? 'not seen called yet'
      : `${count(calls)} calls in ${count(runs)} executions, ${count(failures)} failed, ${count(repeats)} repeated, ${formatMs(totalMs / calls)} each, last ${localTime(new Date(lastAt).toISOString())}`;
  return [
    `${visible(id)} (${kind}): ${told}.`,
    ...edgeTable('leads to', out, ({ to }) => to),
    ...edgeTable('comes from', details.in, ({ from }) => from),
  ];
}

function edgeTable(
  title: string,
  edges: readonly ShownEdge[],
  other: (edge: ShownEdge) => string,
): readonly string[] {
  if (edges.length === 0) return [];
  const rows = edges.map((edge) => [visible(other(edge)), ...cellsOf(edge)]);
  const headings = [title, 'edge', 'known from', 'weight', 'worked', 'failed'].map(heading);
  return ['', ...table([headings, ...rows]).split('\n')];
}

function cellsOf({ type, source, weight, observed, failed }: ShownEdge): readonly string[] {
  return [type, source, weight.toFixed(2), count(observed), count(failed)];
}

export function describeGraphPath(path: GraphPath): readonly string[] {
  const { from, to, steps, calls = [], cost = 0, connection } = path;
  if (steps) {
    const isOpened = calls.length !== steps.length;
    return [
      ...steps.map(describeStep),
      `Cost ${cost.toFixed(2)}: the sum of 1 / weight.`,
      ...(isOpened ? [`With capabilities opened: ${calls.map(visible).join(' → ')}`] : []),
    ];
  }
  const nothing = `Nothing leads from ${visible(from)} to ${visible(to)}.`;
  if (!connection) return [nothing];
  return [nothing, `They are connected: ${connection.map(visible).join(' – ')}`];
}

function describeStep({ id, edges: [edge] }: PathStep, place: number): string {
  if (place === 0) return visible(id);
  if (!edge) return `→ ${visible(id)}  through a capability`;
  const { type, source, weight, observed, failed } = edge;
  return `→ ${visible(id)}  ${type}, ${source}, weight ${weight.toFixed(2)}, worked ${count(observed)}, failed ${count(failed)}`;
}

export function describeRebuilt({ executions, differing, kept }: GraphRebuilt): readonly string[] {
  const made = `Made from ${count(executions)} executions.`;
  const differed =
    differing === 0
      ? 'Nothing differs from what was there.'
      : `${count(differing)} nodes and edges differed from what was there.`;
  const more = `${count(kept ?? 0)} nodes and edges count more than these executions tell, and stay so: older executions are forgotten. \`pml graph rebuild --force\` removes what is more.`;
  return [`${made} ${differed}`, ...(kept ? [more] : [])];
}
