import type { ToolPolicyRow } from '../../../../src/control/contract/policies.js';
import type { ShownChange } from '../../../../src/control/contract/tools.js';
import { ask } from '../../api.js';
import { ActionButton } from '../../parts/action-button.js';
import { StatusBadge } from '../../parts/badge.js';
import { Diff } from '../../parts/code.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { Ago } from '../../parts/time.js';
import { ToolName } from '../../parts/tool-name.js';
import { readDiff } from '../../pure/diff-lines.js';
import { plural } from '../../pure/format.js';
import type { Query } from '../../use-query.js';

const SHOWN_CHANGES = 100;

interface ChangesProps {
  readonly changes: Query<{ readonly changes: readonly ShownChange[] }>;
  readonly policies: Query<{ readonly policies: readonly ToolPolicyRow[] }>;
}

export function Changes({ changes, policies }: ChangesProps) {
  const reload = () => {
    changes.reload();
    policies.reload();
  };
  return (
    <Loaded query={changes}>
      {({ changes: list }) => (
        <>
          <Waiting list={list} policies={policies.data?.policies ?? []} reload={reload} />
          <Card
            title="History of definitions"
            isFlush
            aside={<span class="small muted">{plural(list.length, 'change')}</span>}
          >
            {list.length === 0 ? (
              <Empty title="No definition has changed">
                <p>PML pins every definition it sees; a change would be listed here.</p>
              </Empty>
            ) : (
              <ul class="list">
                {list.slice(0, SHOWN_CHANGES).map((change, place) => (
                  <Change key={`${change.tool} ${change.at} ${place}`} change={change} />
                ))}
              </ul>
            )}
          </Card>
        </>
      )}
    </Loaded>
  );
}

/** Tools that nothing calls until a person approves their definition. */
function Waiting({
  list,
  policies,
  reload,
}: {
  readonly list: readonly ShownChange[];
  readonly policies: readonly ToolPolicyRow[];
  readonly reload: () => void;
}) {
  const blocked = policies.filter(({ status }) => status === 'blocked' || status === 'quarantined');
  if (blocked.length === 0) return null;
  return (
    <Card
      title="Waiting for your approval"
      tone="attention"
      isFlush
      aside={<span class="count">{blocked.length}</span>}
    >
      <ul class="list">
        {blocked.map(({ tool, status, reason }) => {
          const change = list.find((one) => one.tool === tool && one.diff.length > 0);
          return (
            <li key={tool} class="card-body stack tight">
              <div class="row wrap-row">
                <ToolName id={tool} />
                <StatusBadge status={status} />
                <span class="push row">
                  <ActionButton
                    text="Approve definition"
                    kind="primary small"
                    act={async () => {
                      await ask('approve', { tool });
                      reload();
                    }}
                  />
                </span>
              </div>
              {reason && <p class="small muted wrap">{reason}</p>}
              {change && (
                <Diff lines={readDiff(change.diff)} label={`Change of ${tool}`} isSigned />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Change({ change }: { readonly change: ShownChange }) {
  const { tool, kind, at, diff } = change;
  return (
    <li class="card-body">
      <details>
        <summary>
          <span class="row wrap-row change-line">
            <StatusBadge status={kind} />
            <ToolName id={tool} />
            <span class="small muted">
              <Ago at={at} />
            </span>
          </span>
        </summary>
        {diff.length > 0 ? (
          <Diff lines={readDiff(diff)} label={`Change of ${tool}`} isSigned />
        ) : (
          <p class="small muted">No text changed.</p>
        )}
      </details>
    </li>
  );
}
