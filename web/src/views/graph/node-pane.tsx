import type { GraphView, ShownEdge } from '../../../../src/control/contract/graph.js';
import { ask } from '../../api.js';
import { StatusBadge, Tag } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatShare } from '../../pure/format.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';

const SHOWN_EDGES = 12;

interface PaneProps {
  readonly view: GraphView;
  readonly id: string | undefined;
  readonly isOpen: boolean;
  readonly canOpen: boolean;
  readonly onToggle: (id: string) => void;
}

/** One node with its strongest neighbours. */
export function NodePane({ view, id, isOpen, canOpen, onToggle }: PaneProps) {
  const node = view.nodes.find((one) => one.id === id);
  if (!node) {
    return (
      <Card title="Node" isFlush>
        <Empty title="No node is selected">
          <p>Select a node to see its neighbours.</p>
        </Empty>
      </Card>
    );
  }
  const { kind, calls, failures, repeats, importance, community, children = [], isSetAside } = node;
  return (
    <Card title={node.label} aside={<Tag text={kind} />}>
      <dl class="facts">
        <dt>Name</dt>
        <dd>
          <ToolName id={node.id} />
        </dd>
        <dt>Calls</dt>
        <dd>
          {calls}, {failures} failed, {repeats} repeated
        </dd>
        <dt>Importance</dt>
        <dd>{formatShare(importance)}</dd>
        <dt>Community</dt>
        <dd>{community < 0 ? 'none' : community}</dd>
      </dl>
      {isSetAside && <StatusBadge status="quarantined" />}
      <div class="row wrap-row">
        {children.length > 0 && canOpen && (
          <button type="button" aria-expanded={isOpen} onClick={() => onToggle(node.id)}>
            {isOpen ? 'Close' : `Open (${children.length} inside)`}
          </button>
        )}
        <a class="button" href={linkTo(['graph'], { focus: node.id, node: node.id })}>
          Neighbourhood
        </a>
        {node.id.startsWith('cap:') ? (
          <a class="button" href={linkTo(['graph'], { mode: 'calls', of: node.id })}>
            Calls
          </a>
        ) : (
          <a class="button" href={linkTo(['activity'], { tool: node.id })}>
            Activity
          </a>
        )}
      </div>
      {community < 0 ? (
        <p class="small muted">No run has called it yet.</p>
      ) : (
        <Neighbours id={node.id} />
      )}
    </Card>
  );
}

function Neighbours({ id }: { readonly id: string }) {
  const query = useQuery((signal) => ask('graph-show', { id }, signal), id);
  return (
    <Loaded query={query}>
      {({ out, in: incoming }) => (
        <>
          <EdgeList title="Leads to" edges={out} end="to" />
          <EdgeList title="Comes from" edges={incoming} end="from" />
        </>
      )}
    </Loaded>
  );
}

interface EdgeListProps {
  readonly title: string;
  readonly edges: readonly ShownEdge[];
  readonly end: 'from' | 'to';
}

function EdgeList({ title, edges, end }: EdgeListProps) {
  if (edges.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      <ul>
        {edges.slice(0, SHOWN_EDGES).map((edge) => (
          <li key={`${edge.from} ${edge.to} ${edge.type}`} class="row small">
            <a class="cut mono" href={linkTo(['graph'], { ...route.value.query, node: edge[end] })}>
              {edge[end]}
            </a>
            <span class="push muted nowrap">
              {edge.type} {edge.weight.toFixed(2)}, {edge.observed}×
            </span>
          </li>
        ))}
      </ul>
      {edges.length > SHOWN_EDGES && (
        <p class="small muted">{edges.length - SHOWN_EDGES} more in the table.</p>
      )}
    </section>
  );
}
