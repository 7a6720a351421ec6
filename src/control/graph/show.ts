import { nearestNames, PmlError, type ToolId } from '../../core/index.js';
import {
  connection,
  ContractedPaths,
  type GraphEdge,
  type GraphNode,
  type KnowledgeGraph,
} from '../../graph/index.js';
import type { ControlParams } from '../contract.js';
import type { GraphNodeDetails, GraphPath, PathStep } from '../contract/graph.js';
import { compareIds } from './compare.js';
import { type GraphDaemon, ready } from './ready.js';

export async function showNode(
  daemon: GraphDaemon,
  { id }: ControlParams<'graph-show'>,
): Promise<GraphNodeDetails> {
  await ready(daemon);
  const { graph } = daemon.graph;
  const node = find(graph, id);
  return {
    node: plainNode(node),
    out: graph.out(node.id).map(plainEdge).toSorted(byWeight),
    in: graph.in(node.id).map(plainEdge).toSorted(byWeight),
  };
}

export async function findPath(
  daemon: GraphDaemon,
  params: ControlParams<'graph-path'>,
): Promise<GraphPath> {
  await ready(daemon);
  const { graph } = daemon.graph;
  const from = find(graph, params.from).id;
  const to = find(graph, params.to).id;
  const found = new ContractedPaths(graph).find(from, to);
  const joined = found ? undefined : connection(graph, from, to);
  return {
    from,
    to,
    ...(found && { steps: stepsOf(graph, found.steps), calls: found.calls, cost: found.cost }),
    ...(joined && { connection: joined }),
  };
}

function plainNode(node: GraphNode): GraphNode {
  const { id, kind, calls, failures, repeats, runs, totalMs, lastAt } = node;
  return { id, kind, calls, failures, repeats, runs, totalMs, lastAt };
}

function plainEdge(edge: GraphEdge): GraphEdge {
  const { from, to, type, source, weight, observed, failed, lastAt } = edge;
  return { from, to, type, source, weight, observed, failed, lastAt };
}

function stepsOf(graph: KnowledgeGraph, ids: readonly ToolId[]): readonly PathStep[] {
  return ids.map((id, place) => {
    const before = ids[place - 1];
    const edges = before === undefined ? [] : graph.out(before).filter(({ to }) => to === id);
    return { id, edges: edges.map(plainEdge).toSorted(byWeight) };
  });
}

function byWeight(one: GraphEdge, other: GraphEdge): number {
  return (
    other.weight - one.weight ||
    compareIds(one.from, other.from) ||
    compareIds(one.to, other.to) ||
    compareIds(one.type, other.type)
  );
}

export function find(graph: KnowledgeGraph, wanted: string): GraphNode {
  const id = wanted as ToolId;
  const node = graph.node(id);
  if (node) return node;
  const known = graph.nodes().map((one) => one.id);
  const near = nearestNames(id, known, 3);
  const hint = near.length > 0 ? ` The nearest: ${near.join(', ')}` : '';
  throw new PmlError(
    'TOOL_UNKNOWN',
    `The graph has no ${JSON.stringify(id)}: nothing was seen to call it, and no capability does.${hint}`,
  );
}
