/** Lays the graph out in a thread of its own, so that the page stays usable meanwhile. */
import cytoscape, { type ElementDefinition, type LayoutOptions } from 'cytoscape';
import dagre from 'cytoscape-dagre';
import fcose from 'cytoscape-fcose';

import { gridPositions, splitLoose } from '../pure/grid-positions.js';
import type { LayoutAnswer, LayoutKind, LayoutRequest, Positions } from './layout-messages.js';

cytoscape.use(fcose);
cytoscape.use(dagre);

/** From so many nodes on a rough layout has to do. */
const ROUGH_FROM = 400;
/** dagre throws on larger graphs. */
const MOST_LAYERED = 600;

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

/** What nothing is linked to goes into a grid below the rest. */
async function positionsOf({ nodes, edges, kind }: LayoutRequest): Promise<Positions> {
  const { linked, loose } = splitLoose(nodes, edges);
  const placed = linked.length > 0 ? await layOut({ nodes: linked, edges, kind }) : {};
  return { ...placed, ...gridPositions(loose, placed) };
}

function layOut({ nodes, edges, kind }: Omit<LayoutRequest, 'request'>): Promise<Positions> {
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
    style: [{ selector: 'node:childless', style: { width: 'data(width)', height: 'data(height)' } }],
  });
  const layout = graph.layout(optionsOf(kind, nodes.length));
  return new Promise((resolve) => {
    layout.one('layoutstop', () => {
      const positions: Record<string, { x: number; y: number }> = {};
      for (const node of graph.nodes()) positions[node.id()] = { ...node.position() };
      graph.destroy();
      resolve(positions);
    });
    layout.run();
  });
}

function optionsOf(kind: LayoutKind, count: number): LayoutOptions {
  if (kind === 'layers' && count <= MOST_LAYERED) {
    // The options of an extension are not among the typings of the library.
    return { name: 'dagre', rankDir: 'LR', nodeSep: 24, rankSep: 90, animate: false } as LayoutOptions;
  }
  const isRough = count >= ROUGH_FROM;
  return {
    name: 'fcose',
    animate: false,
    quality: isRough ? 'draft' : 'default',
    randomize: true,
    nodeSeparation: 110,
    idealEdgeLength: () => 110,
    nodeRepulsion: () => 9_000,
    packComponents: false,
    fit: false,
    // The options of an extension are not among the typings of the library.
  } as LayoutOptions;
}
