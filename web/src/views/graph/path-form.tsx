import { useState } from 'preact/hooks';

import type { GraphPath, GraphView } from '../../../../src/control/contract/graph.js';
import { ask } from '../../api.js';
import { Card } from '../../parts/page.js';
import { ToolName } from '../../parts/tool-name.js';
import { route } from '../../router.js';

interface PathProps {
  readonly view: GraphView;
  readonly path: GraphPath | undefined;
  readonly onPath: (path: GraphPath | undefined) => void;
}

/** The strongest path between two nodes. */
export function PathForm({ view, path, onPath }: PathProps) {
  const [from, setFrom] = useState(route.value.query['node'] ?? '');
  const [to, setTo] = useState('');
  const [error, setError] = useState<string | undefined>();
  const find = async (event: Event) => {
    event.preventDefault();
    setError(undefined);
    try {
      onPath(await ask('graph-path', { from, to }));
    } catch (failure) {
      onPath(undefined);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <Card title="Strongest path">
      <form class="stack tight" onSubmit={(event) => void find(event)}>
        <datalist id="graph-nodes">
          {view.nodes.slice(0, 1_000).map(({ id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <label class="field">
          From
          <input
            list="graph-nodes"
            required
            value={from}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          To
          <input
            list="graph-nodes"
            required
            value={to}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        </label>
        <div class="row">
          <button type="submit">Find</button>
          {path && (
            <button type="button" class="quiet" onClick={() => onPath(undefined)}>
              Clear
            </button>
          )}
        </div>
      </form>
      {error !== undefined && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      {path && <Found path={path} />}
    </Card>
  );
}

function Found({ path }: { readonly path: GraphPath }) {
  if (!path.steps) {
    return (
      <p class="small" role="status">
        Nothing leads from one to the other
        {path.connection ? `; they are connected by ${path.connection.join(' – ')}` : ''}.
      </p>
    );
  }
  return (
    <ol class="stack tight">
      {path.steps.map(({ id, edges }, place) => (
        <li key={`${id} ${place}`} class="small">
          {place > 0 && (
            <span class="muted">
              {edges[0] ? `${edges[0].type} ${edges[0].weight.toFixed(2)} → ` : 'inside → '}
            </span>
          )}
          <ToolName id={id} />
        </li>
      ))}
    </ol>
  );
}
