import { useEffect, useRef, useState } from 'preact/hooks';

import type { GraphDrawing, Marks } from '../../graph/draw-graph.js';
import { createLayoutClient, type LayoutClient } from '../../graph/layout-client.js';
import type { LayoutKind, Positions } from '../../graph/layout-messages.js';
import { gridPositions } from '../../pure/grid-positions.js';
import type { DrawnGraph } from '../../pure/visible-graph.js';
import { isDark } from '../../theme.js';

interface CanvasProps {
  readonly graph: DrawnGraph;
  readonly layout: LayoutKind;
  readonly label: string;
  readonly marks: Marks;
  /** The view moves to these. */
  readonly center: readonly string[];
  readonly onSelect: (id: string | undefined) => void;
  readonly onToggle: (id: string) => void;
}

type CanvasState = 'loading' | 'layout' | 'ready' | { readonly error: string };

const LABEL_HEIGHT = 18;

/** The canvas with the graph; the library is loaded when it is first shown. */
export function Canvas(props: CanvasProps) {
  const { graph, layout, label, marks, center } = props;
  const box = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<GraphDrawing | undefined>();
  const [state, setState] = useState<CanvasState>('loading');
  const latest = useRef(props);
  latest.current = props;
  const layouts = useRef<LayoutClient | undefined>(undefined);
  const dark = isDark.value;

  useEffect(() => {
    let isGone = false;
    let drawn: GraphDrawing | undefined;
    layouts.current = createLayoutClient();
    const load = async () => {
      const { drawGraph } = await import('../../graph/draw-graph.js');
      if (isGone || !box.current) return;
      drawn = drawGraph(box.current, {
        onSelect: (id) => latest.current.onSelect(id),
        onToggle: (id) => latest.current.onToggle(id),
      });
      setDrawing(drawn);
    };
    load().catch((error: unknown) => setState({ error: String(error) }));
    return () => {
      isGone = true;
      layouts.current?.close();
      drawn?.destroy();
    };
  }, []);

  useEffect(() => {
    if (!drawing || !layouts.current) return;
    const request = layoutOf(graph);
    setState('layout');
    drawing.show(graph, firstPositions(request.nodes));
    drawing.mark(latest.current.marks);
    drawing.fit();
    const show = (positions: Positions | undefined) => {
      if (!positions) return;
      drawing.show(graph, positions);
      drawing.mark(latest.current.marks);
      drawing.fit();
      setState('ready');
    };
    layouts.current
      .layOut({ ...request, kind: layout })
      .then(show, (error: unknown) => setState({ error: String(error) }));
  }, [drawing, graph, layout]);
  useEffect(() => drawing?.mark(marks), [drawing, marksKey(marks)]);
  useEffect(() => drawing?.restyle(), [drawing, dark]);
  useEffect(() => {
    if (center.length > 0 && state === 'ready') drawing?.fit(center);
  }, [drawing, state, center.join(' ')]);

  return (
    <div class="graph-canvas" data-state={typeof state === 'string' ? state : 'error'}>
      <div ref={box} class="graph-box" role="img" aria-label={label} />
      {state !== 'ready' && (
        <p class="graph-note small" role="status">
          {typeof state === 'string'
            ? 'Arranging the graph…'
            : `Cannot arrange the graph: ${state.error}`}
        </p>
      )}
    </div>
  );
}

function layoutOf({ nodes, edges }: DrawnGraph) {
  return {
    nodes: nodes.map(({ id, parent, node }) => {
      const size = 14 + 30 * Math.sqrt(node.importance);
      return {
        id,
        width: size,
        height: size + LABEL_HEIGHT,
        ...(parent !== undefined && { parent }),
      };
    }),
    edges: edges.map(({ from, to }) => ({ from, to })),
  };
}

/** Something to see at once, until the worker is ready. */
function firstPositions(nodes: ReturnType<typeof layoutOf>['nodes']): Positions {
  return gridPositions(nodes, {});
}

function marksKey({ strong, active, selected }: Marks): string {
  return `${strong ? [...strong].join(' ') : '-'}|${[...active].join(' ')}|${selected ?? ''}`;
}
