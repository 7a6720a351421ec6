import { useEffect, useMemo, useState } from 'preact/hooks';

import type { GraphPath, GraphView } from '../../../../src/control/contract/graph.js';
import type { LayoutKind } from '../../graph/layout-messages.js';
import { plural } from '../../pure/format.js';
import { matchNodes, visibleGraph } from '../../pure/visible-graph.js';
import { linkTo, route, setQuery } from '../../router.js';
import { Canvas } from './canvas.js';
import { NodePane } from './node-pane.js';
import { PathForm } from './path-form.js';
import { useActiveTools } from './use-active-tools.js';

interface MapProps {
  readonly view: GraphView;
  readonly focus: string | undefined;
  readonly reload: () => void;
}

export function GraphMap({ view, focus, reload }: MapProps) {
  const { node: selected, text = '' } = route.value.query;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [layout, setLayout] = useState<LayoutKind>('force');
  const [path, setPath] = useState<GraphPath | undefined>();
  const active = useActiveTools();
  const graph = useMemo(
    () => visibleGraph(view, { open, isFlat: focus !== undefined }),
    [view, open, focus],
  );
  const strong = useMemo(() => {
    const wanted = path?.steps
      ? path.steps.map(({ id }) => id)
      : matchNodes(view.nodes, text).map(({ id }) => id);
    if (!path?.steps && text.trim() === '') return undefined;
    return new Set(wanted.flatMap((id) => graph.places.get(id) ?? []));
  }, [view, graph, text, path]);
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const openable = view.nodes.filter(({ children }) => children && children.length > 0);
  const findFirst = (event: Event) => {
    event.preventDefault();
    const [first] = matchNodes(view.nodes, text);
    if (first) setQuery({ node: first.id });
  };
  useEffect(() => setPath(undefined), [focus]);
  return (
    <>
      <div class="tools">
        <form class="tools grow" onSubmit={findFirst}>
          <input
            type="search"
            aria-label="Search the graph"
            placeholder="Search tools and capabilities"
            value={text}
            onInput={(event) => setQuery({ text: event.currentTarget.value })}
          />
        </form>
        <select
          aria-label="Layout"
          value={layout}
          onChange={(event) =>
            setLayout(event.currentTarget.value === 'layers' ? 'layers' : 'force')
          }
        >
          <option value="force">Layout by closeness</option>
          <option value="layers">Layout in layers</option>
        </select>
        {openable.length > 0 && focus === undefined && (
          <button
            type="button"
            onClick={() =>
              setOpen(open.size > 0 ? new Set() : new Set(openable.map(({ id }) => id)))
            }
          >
            {open.size > 0 ? 'Close all capabilities' : 'Open all capabilities'}
          </button>
        )}
        <button type="button" onClick={reload}>
          Refresh
        </button>
        {focus !== undefined && (
          <a class="button" href={linkTo(['graph'])}>
            Whole graph
          </a>
        )}
      </div>
      <div class="graph-grid">
        <section class="card graph-card">
          <Canvas
            graph={graph}
            layout={layout}
            label={`Graph with ${plural(graph.nodes.length, 'node')} and ${plural(graph.edges.length, 'edge')}; the table shows the same`}
            marks={{
              active: new Set(active.flatMap((id) => graph.places.get(id) ?? [])),
              ...(strong && { strong }),
              ...(selected !== undefined && { selected }),
            }}
            center={path?.steps ? [...(strong ?? [])] : (graph.places.get(selected ?? '') ?? [])}
            onSelect={(id) => setQuery({ node: id })}
            onToggle={toggle}
          />
          <GraphLegend />
        </section>
        <div class="stack">
          <PathForm view={view} path={path} onPath={setPath} />
          <NodePane
            view={view}
            id={selected}
            isOpen={selected !== undefined && open.has(selected)}
            canOpen={focus === undefined}
            onToggle={toggle}
          />
        </div>
      </div>
    </>
  );
}

const EDGES = [
  ['provides', 'a value goes over'],
  ['sequence', 'called after'],
  ['dependency', 'needs the whole'],
  ['alternative', 'instead of'],
] as const;

function GraphLegend() {
  return (
    <p class="graph-legend small muted">
      {EDGES.map(([type, text]) => (
        <span key={type} class="row legend">
          <span class={`edge-swatch ${type}`} aria-hidden="true" />
          {text}
        </span>
      ))}
      <span>
        Size: importance. Colour: community. Width: weight. Double-click opens a capability.
      </span>
    </p>
  );
}
