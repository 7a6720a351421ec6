/** Lays the graph out in a thread of its own, so that the page stays usable meanwhile. */
import cytoscape, { type ElementDefinition, type LayoutOptions } from 'cytoscape';
import fcose from 'cytoscape-fcose';

import { componentsOf, packParts, spread } from '../pure/graph-components.js';
import { gridPositions, splitLoose } from '../pure/grid-positions.js';
import { placeDag } from '../pure/place-dag.js';
import type {
  LayoutAnswer,
  LayoutKind,
  LayoutNode,
  LayoutRequest,
  Position,
  Positions,
} from './layout-messages.js';

cytoscape.use(fcose);

/** From this many nodes on the worker uses a rough layout. */
const ROUGH_FROM = 400;
/** A user cannot read more layers and rows than these. */
const MOST_LAYERED = 600;
const MANY_PARTS = 40;
const SMALL_PART = 12;
const LAYER_WIDTH = 150;
const ROW_HEIGHT = 64;

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  void answer(data).then((message) => postMessage(message));
});

async function answer(request: LayoutRequest): Promise<LayoutAnswer> {
  try {
    return { request: request.request, positions: await positionsOf(request) };
  } catch (error) {
    return { request: request.request, error: String(error) };
  }
}

/** Unlinked nodes go into a grid below the rest. */
async function positionsOf({ nodes, edges, kind }: LayoutRequest): Promise<Positions> {
  const { linked, loose } = splitLoose(nodes, edges);
  const parts: Positions[] = [];
  const components = componentsOf(linked, edges);
  for (const part of components) {
    // Forces cost the same for a handful of nodes as for a hundred.
    const isOneOfMany = components.length > MANY_PARTS && part.nodes.length <= SMALL_PART;
    const isPlain = isLayered(isOneOfMany ? 'layers' : kind, part.nodes);
    parts.push(isPlain ? inLayers(part.nodes, part.edges) : await byForce(part.nodes, part.edges));
  }
  const placed = packParts(parts);
  return { ...placed, ...gridPositions(loose, placed) };
}

/** Nested boxes have no layers. */
function isLayered(kind: LayoutKind, nodes: readonly LayoutNode[]): boolean {
  return (
    kind === 'layers' &&
    nodes.length <= MOST_LAYERED &&
    nodes.every(({ parent }) => parent === undefined)
  );
}

type Edges = LayoutRequest['edges'];

function inLayers(nodes: readonly LayoutNode[], edges: Edges): Positions {
  const needs = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (from !== to) needs.set(to, [...(needs.get(to) ?? []), from]);
  }
  const { tasks } = placeDag(nodes.map(({ id }) => ({ id, needs: needs.get(id) ?? [] })));
  return Object.fromEntries(
    tasks.map(({ id, layer, row }) => [id, { x: layer * LAYER_WIDTH, y: row * ROW_HEIGHT }]),
  );
}

function byForce(nodes: readonly LayoutNode[], edges: Edges): Promise<Positions> {
  const elements: ElementDefinition[] = [
    ...nodes.map(({ id, parent, width, height }) => ({
      data: { id, width, height, ...(parent !== undefined && { parent }) },
    })),
    ...edges.map(({ from, to }) => ({ data: { source: from, target: to } })),
  ];
  const graph = cytoscape({
    headless: true,
    styleEnabled: true,
    elements,
    style: [
      { selector: 'node:childless', style: { width: 'data(width)', height: 'data(height)' } },
    ],
  });
  const layout = graph.layout(forceOptions(nodes.length));
  return new Promise((resolve) => {
    layout.one('layoutstop', () => {
      const positions: Record<string, Position> = {};
      for (const node of graph.nodes()) positions[node.id()] = { ...node.position() };
      graph.destroy();
      resolve(nodes.length >= ROUGH_FROM ? spread(positions) : positions);
    });
    layout.run();
  });
}

function forceOptions(count: number): LayoutOptions {
  return {
    name: 'fcose',
    animate: false,
    quality: count >= ROUGH_FROM ? 'draft' : 'default',
    randomize: true,
    nodeSeparation: 110,
    idealEdgeLength: () => 110,
    nodeRepulsion: () => 9_000,
    packComponents: false,
    fit: false,
    // The options of an extension are not among the typings of the library.
  } as LayoutOptions;
}
