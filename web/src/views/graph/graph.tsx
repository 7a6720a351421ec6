import { ask } from '../../api.js';
import { capabilitiesVersion } from '../../live.js';
import { Page, Segments } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { Invocations } from './invocations.js';
import { GraphMap } from './map.js';
import { GraphTable } from './table.js';

import './graph.css';

const MOST_NODES = 5_000;

/** Tools and capabilities, how they belong together, and the calls of one of them in order. */
export function Graph() {
  const { mode = 'map', of, focus } = route.value.query;
  const { focus: _, mode: __, ...rest } = route.value.query;
  return (
    <Page
      title="Graph"
      about="Tools and capabilities with what PML learned about how they belong together."
      actions={
        <Segments
          label="Mode"
          items={[
            { text: 'Map', href: linkTo(['graph'], { ...rest, focus }), isCurrent: mode === 'map' },
            {
              text: 'Calls',
              href: linkTo(['graph'], { mode: 'calls', of }),
              isCurrent: mode === 'calls',
            },
            {
              text: 'Table',
              href: linkTo(['graph'], { ...rest, focus, mode: 'table' }),
              isCurrent: mode === 'table',
            },
          ]}
        />
      }
    >
      {mode === 'calls' ? <Invocations of={of} /> : <GraphData mode={mode} focus={focus} />}
    </Page>
  );
}

function GraphData({ mode, focus }: { readonly mode: string; readonly focus: string | undefined }) {
  const view = useQuery(
    (signal) =>
      ask(
        'graph-view',
        { level: 'all', limit: MOST_NODES, ...(focus && { focus, depth: 1 }) },
        signal,
      ),
    focus ?? '',
    capabilitiesVersion.value,
  );
  return (
    <Loaded query={view}>
      {(graph) =>
        graph.nodes.length === 0 ? (
          <Empty title="The graph is empty">
            <p>It grows with every call that agents make through PML.</p>
          </Empty>
        ) : (
          <>
            {graph.isCut && (
              <p class="notice info">
                The graph has {graph.total.nodes} nodes and {graph.total.edges} edges; the most
                important ones are shown.
              </p>
            )}
            {mode === 'table' ? (
              <GraphTable view={graph} />
            ) : (
              <GraphMap view={graph} focus={focus} reload={view.reload} />
            )}
          </>
        )
      }
    </Loaded>
  );
}
