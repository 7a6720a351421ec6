/** Nodes that nothing is linked to stand in rows below the others. */
import type { LayoutNode, Position, Positions } from '../graph/layout-messages.js';

const STEP_X = 130;
const STEP_Y = 60;
const GAP = 140;

interface Split {
  readonly linked: readonly LayoutNode[];
  readonly loose: readonly LayoutNode[];
}

export function splitLoose(
  nodes: readonly LayoutNode[],
  edges: readonly { readonly from: string; readonly to: string }[],
): Split {
  const used = new Set<string>();
  for (const { from, to } of edges) {
    if (from === to) continue;
    used.add(from);
    used.add(to);
  }
  for (const { id, parent } of nodes) {
    if (parent === undefined) continue;
    used.add(parent);
    used.add(id);
  }
  return {
    linked: nodes.filter(({ id }) => used.has(id)),
    loose: nodes.filter(({ id }) => !used.has(id)),
  };
}

export function gridPositions(nodes: readonly LayoutNode[], placed: Positions): Positions {
  const points = Object.values(placed);
  const left = points.reduce((least, { x }) => Math.min(least, x), points[0]?.x ?? 0);
  const right = points.reduce((most, { x }) => Math.max(most, x), points[0]?.x ?? 0);
  const bottom = points.reduce((most, { y }) => Math.max(most, y), points[0]?.y ?? -GAP);
  const fitting = Math.floor((right - left) / STEP_X) + 1;
  const columns = Math.max(fitting, Math.ceil(Math.sqrt((nodes.length * STEP_Y * 2) / STEP_X)), 1);
  const positions: Record<string, Position> = {};
  nodes.forEach(({ id }, place) => {
    positions[id] = {
      x: left + (place % columns) * STEP_X,
      y: bottom + GAP + Math.floor(place / columns) * STEP_Y,
    };
  });
  return positions;
}
