/** The graph on its canvas. Knows nothing of the daemon: it draws what it is given. */
import cytoscape, { type Core, type ElementDefinition } from 'cytoscape';

import type { DrawnGraph, DrawnNode } from '../pure/visible-graph.js';
import { isCalm } from '../theme.js';
import { graphStyle } from './graph-style.js';
import type { Positions } from './layout-messages.js';

export interface Marks {
  /** Drawn nodes; all others fade. Undefined: none fades. */
  readonly strong?: ReadonlySet<string>;
  /** Nodes of calls that run or ran just now. */
  readonly active: ReadonlySet<string>;
  readonly selected?: string;
}

export interface GraphDrawing {
  show(graph: DrawnGraph, positions: Positions): void;
  mark(marks: Marks): void;
  /** Moves the view to these nodes, or to all. */
  fit(ids?: readonly string[]): void;
  restyle(): void;
  destroy(): void;
}

interface DrawingEvents {
  readonly onSelect: (node: string | undefined) => void;
  readonly onToggle: (node: string) => void;
}

const MOVE_MS = 350;
const MANY_EDGES = 600;
/** A few nodes alone would be drawn very large. */
const MOST_FITTED_ZOOM = 1.2;

export function drawGraph(box: HTMLElement, events: DrawingEvents): GraphDrawing {
  const core = cytoscape({
    container: box,
    minZoom: 0.03,
    maxZoom: 3,
    pixelRatio: 'auto',
    hideEdgesOnViewport: true,
    textureOnViewport: true,
    boxSelectionEnabled: false,
    style: graphStyle(),
  });
  core.on('tap', 'node', ({ target }) => events.onSelect(String(target.data('ref'))));
  core.on('tap', ({ target }) => {
    if (target === core) events.onSelect(undefined);
  });
  core.on('dbltap', 'node', ({ target }) => events.onToggle(String(target.data('ref'))));
  return {
    show: (graph, positions) => show(core, graph, positions),
    mark: (marks) => mark(core, marks),
    fit: (ids) => fit(core, ids),
    restyle: () => void core.style(graphStyle()),
    destroy: () => core.destroy(),
  };
}

/** Shown nodes keep their place until the new one is known, then move there. */
function show(core: Core, graph: DrawnGraph, positions: Positions): void {
  const isBusy = graph.edges.length > MANY_EDGES;
  core.batch(() => {
    core.elements().remove();
    core.add([
      ...graph.nodes.map((node) => elementOf(node, positions)),
      ...graph.edges.map(({ id, from, to, type, weight, label }) => ({
        group: 'edges' as const,
        data: { id, source: from, target: to, type, weight, label: label ?? '' },
        classes: isBusy && from !== to ? 'plain' : '',
      })),
    ]);
  });
}

function elementOf(
  { id, node, parent, isOpen }: DrawnNode,
  positions: Positions,
): ElementDefinition {
  const position = positions[id];
  return {
    group: 'nodes',
    data: {
      id,
      ref: node.id,
      label: node.label,
      kind: node.kind,
      community: node.community,
      size: sizeOf(node.importance),
      ...(parent !== undefined && { parent }),
    },
    classes: [isOpen ? 'open' : 'closed', node.isSetAside ? 'aside' : ''].join(' '),
    ...(position && { position: { ...position } }),
  };
}

function sizeOf(importance: number): number {
  return 14 + 30 * Math.sqrt(Math.max(0, importance));
}

function mark(core: Core, { strong, active, selected }: Marks): void {
  core.batch(() => {
    core.nodes().forEach((node) => {
      const isFaded = strong !== undefined && !strong.has(node.id());
      node.toggleClass('faded', isFaded);
      node.toggleClass('strong', strong?.has(node.id()) ?? false);
      node.toggleClass('active', active.has(node.id()));
      node.toggleClass('selected', node.data('ref') === selected);
    });
    core.edges().forEach((edge) => {
      const isFaded =
        strong !== undefined && !(strong.has(edge.source().id()) && strong.has(edge.target().id()));
      edge.toggleClass('faded', isFaded);
    });
  });
}

function fit(core: Core, ids?: readonly string[]): void {
  const wanted = ids ? core.nodes().filter((node) => ids.includes(node.id())) : core.elements();
  if (wanted.empty()) return;
  const box = wanted.boundingBox();
  const padding = ids ? 120 : 40;
  const zoom = Math.min(
    MOST_FITTED_ZOOM,
    (core.width() - 2 * padding) / Math.max(1, box.w),
    (core.height() - 2 * padding) / Math.max(1, box.h),
  );
  const level = Math.max(core.minZoom(), zoom);
  const pan = {
    x: core.width() / 2 - ((box.x1 + box.x2) / 2) * level,
    y: core.height() / 2 - ((box.y1 + box.y2) / 2) * level,
  };
  if (isCalm()) core.viewport({ zoom: level, pan });
  else core.animate({ zoom: level, pan }, { duration: MOVE_MS });
}
