import type { CodeStructure, StructureNode } from '../../src/code/flow/structure.js';

/**
 * The calls and operations a run is expected to make, in start order. Undefined if they depend on
 * data: on a decision, on the number of iterations, on which call answers first.
 */
export function straightLine({ nodes, isCut }: CodeStructure): readonly string[] | undefined {
  if (isCut) return undefined;
  const kinds = new Map(nodes.map((node) => [node.id, node.kind]));
  const perFork = new Map<string, number>();
  const names: string[] = [];
  for (const node of nodes) {
    const { kind, within } = node;
    if (kind === 'decision' || kind === 'loop') return undefined;
    if (within) {
      if (kinds.get(within.node) !== 'fork') return undefined;
      perFork.set(within.node, (perFork.get(within.node) ?? 0) + 1);
    }
    if (kind === 'fork' || kind === 'join') continue;
    const name = nameOf(node);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return hasLongBranch(nodes, perFork) ? undefined : names;
}

/** What a node is called in a trace. */
export function nameOf(node: StructureNode): string | undefined {
  switch (node.kind) {
    case 'task':
      return node.tool;
    case 'capability':
      return node.capability === undefined ? undefined : `cap:${node.capability}`;
    case 'operation':
      return node.operation;
    default:
      return undefined;
  }
}

/** In a branch of two steps the second one waits for an unknown time. */
function hasLongBranch(
  nodes: readonly StructureNode[],
  perFork: ReadonlyMap<string, number>,
): boolean {
  return nodes.some(
    (node) => node.kind === 'join' && node.branches < (perFork.get(node.fork) ?? 0),
  );
}
