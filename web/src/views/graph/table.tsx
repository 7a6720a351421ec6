/** The same information as the map, for the keyboard and screen readers. */
import type { GraphView, ViewEdge, ViewNode } from '../../../../src/control/contract/graph.js';
import { Tag } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { type Column, DataTable } from '../../parts/table.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatShare, plural } from '../../pure/format.js';
import { linkTo, route, setQuery } from '../../router.js';

const NODES: readonly Column<ViewNode>[] = [
  {
    title: 'Node',
    cell: ({ id }) => (
      <a class="mono" href={linkTo(['graph'], { node: id })}>
        {id}
      </a>
    ),
  },
  {
    title: 'Kind',
    cell: ({ kind, isSetAside }) => <Tag text={isSetAside ? `${kind}, quarantined` : kind} />,
  },
  {
    title: 'Community',
    isNumber: true,
    cell: ({ community }) => (community < 0 ? '–' : community),
  },
  { title: 'Importance', isNumber: true, cell: ({ importance }) => formatShare(importance) },
  { title: 'Calls', isNumber: true, cell: ({ calls }) => calls },
  { title: 'Failed', isNumber: true, cell: ({ failures }) => failures },
  { title: 'Repeated', isNumber: true, cell: ({ repeats }) => repeats },
  { title: 'Inside', isNumber: true, cell: ({ children }) => children?.length ?? 0 },
];

const EDGES: readonly Column<ViewEdge>[] = [
  { title: 'From', cell: ({ from }) => <ToolName id={from} /> },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'To', cell: ({ to }) => <ToolName id={to} /> },
  { title: 'Weight', isNumber: true, cell: ({ weight }) => weight.toFixed(2) },
  { title: 'Seen', isNumber: true, cell: ({ observed }) => observed },
  { title: 'Known from', cell: ({ source }) => source },
];

export function GraphTable({ view }: { readonly view: GraphView }) {
  const { text = '' } = route.value.query;
  const has = (...values: readonly string[]) =>
    values.join(' ').toLowerCase().includes(text.toLowerCase());
  const nodes = view.nodes.filter(({ id }) => has(id));
  const edges = view.edges.filter(({ from, to, type }) => has(from, to, type));
  return (
    <>
      <div class="tools">
        <input
          type="search"
          aria-label="Search the graph"
          placeholder="Search tools and capabilities"
          value={text}
          onInput={(event) => setQuery({ text: event.currentTarget.value })}
        />
      </div>
      <CapabilityTree view={view} />
      <Card title={plural(nodes.length, 'node')} isFlush>
        <DataTable label="Nodes" columns={NODES} rows={nodes} keyOf={({ id }) => id} />
      </Card>
      <Card title={plural(edges.length, 'edge')} isFlush>
        <DataTable
          label="Edges"
          columns={EDGES}
          rows={edges}
          keyOf={({ from, to, type }) => `${from} ${to} ${type}`}
        />
      </Card>
    </>
  );
}

/** Capabilities with their contents. */
function CapabilityTree({ view }: { readonly view: GraphView }) {
  const byId = new Map(view.nodes.map((node) => [node.id, node]));
  const inside = new Set(view.nodes.flatMap(({ children = [] }) => children));
  const roots = view.nodes.filter(({ id, children }) => children && !inside.has(id));
  if (roots.length === 0) return null;
  return (
    <Card title="Capabilities and what they call">
      <ul class="tree">
        {roots.map((node) => (
          <Branch key={node.id} node={node} byId={byId} around={[]} />
        ))}
      </ul>
    </Card>
  );
}

interface BranchProps {
  readonly node: ViewNode;
  readonly byId: ReadonlyMap<string, ViewNode>;
  readonly around: readonly string[];
}

function Branch({ node, byId, around }: BranchProps) {
  const children = (node.children ?? []).filter((id) => !around.includes(id));
  if (children.length === 0) {
    return (
      <li>
        <ToolName id={node.id} />
      </li>
    );
  }
  return (
    <li>
      <details>
        <summary>
          <span class="mono">{node.id}</span>, {children.length} inside
        </summary>
        <ul class="tree">
          {children.map((id) => {
            const child = byId.get(id);
            return child ? (
              <Branch key={id} node={child} byId={byId} around={[...around, node.id]} />
            ) : (
              <li key={id}>
                <ToolName id={id} />
              </li>
            );
          })}
        </ul>
      </details>
    </li>
  );
}
