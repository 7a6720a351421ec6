/** Parts of a graph that no edge connects: arranged one by one, then put side by side. */
import type { LayoutNode, LayoutRequest, Position, Positions } from '../graph/layout-messages.js';

export interface GraphComponent {
  readonly nodes: readonly LayoutNode[];
  readonly edges: LayoutRequest['edges'];
}

/** The largest first. */
export function componentsOf(
  nodes: readonly LayoutNode[],
  edges: LayoutRequest['edges'],
): readonly GraphComponent[] {
  const leaders = new Map(nodes.map(({ id }) => [id, id]));
  const leaderOf = (id: string): string => {
    let one = id;
    while (leaders.get(one) !== one) {
      const next = leaders.get(leaders.get(one)!)!;
      leaders.set(one, next);
      one = next;
    }
    return one;
  };
  const join = (one: string, other: string) => {
    if (leaders.has(one) && leaders.has(other)) leaders.set(leaderOf(one), leaderOf(other));
  };
  for (const { from, to } of edges) join(from, to);
  for (const { id, parent } of nodes) if (parent !== undefined) join(id, parent);
  const parts = new Map<string, { nodes: LayoutNode[]; edges: LayoutRequest['edges'][number][] }>();
  for (const node of nodes) {
    const leader = leaderOf(node.id);
    const part = parts.get(leader) ?? { nodes: [], edges: [] };
    parts.set(leader, part);
    part.nodes.push(node);
  }
  for (const edge of edges) {
    if (leaders.has(edge.from) && leaders.has(edge.to))
      parts.get(leaderOf(edge.from))?.edges.push(edge);
  }
  return [...parts.values()].sort((a, b) => b.nodes.length - a.nodes.length);
}

const GAP = 90;
/** A screen is wider than high. */
const SHAPE = 1.6;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Puts arranged parts in rows that fill about the shape of a screen. */
export function packParts(parts: readonly Positions[]): Positions {
  const boxes = parts.map(boxOf);
  const area = boxes.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const widest = boxes.reduce((most, { width }) => Math.max(most, width), 0);
  const rowWidth = Math.max(widest, Math.sqrt(area * SHAPE));
  const packed: Record<string, Position> = {};
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  parts.forEach((part, place) => {
    const box = boxes[place]!;
    if (x > 0 && x + box.width > rowWidth) {
      x = 0;
      y += rowHeight + GAP;
      rowHeight = 0;
    }
    for (const [id, at] of Object.entries(part)) {
      packed[id] = { x: at.x - box.left + x, y: at.y - box.top + y };
    }
    x += box.width + GAP;
    rowHeight = Math.max(rowHeight, box.height);
  });
  return packed;
}

function boxOf(part: Positions): Box {
  const points = Object.values(part);
  const left = points.reduce((least, { x }) => Math.min(least, x), Infinity);
  const right = points.reduce((most, { x }) => Math.max(most, x), -Infinity);
  const top = points.reduce((least, { y }) => Math.min(least, y), Infinity);
  const bottom = points.reduce((most, { y }) => Math.max(most, y), -Infinity);
  return { left, top, width: right - left, height: bottom - top };
}

const ROOM = 95;

/** A rough layout puts nodes much too close: it is stretched until each has room on average. */
export function spread(part: Positions): Positions {
  const entries = Object.entries(part);
  const { width, height } = boxOf(part);
  const factor = (Math.sqrt(entries.length) * ROOM) / Math.max(1, width, height);
  if (factor <= 1) return part;
  return Object.fromEntries(
    entries.map(([id, { x, y }]) => [id, { x: x * factor, y: y * factor }]),
  );
}
