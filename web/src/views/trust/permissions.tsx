import type { ToolPolicyRow } from '../../../../src/control/contract/policies.js';
import { ask } from '../../api.js';
import { ActionButton } from '../../parts/action-button.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { ToolName } from '../../parts/tool-name.js';
import { plural } from '../../pure/format.js';
import { route, setQuery } from '../../router.js';
import type { Query } from '../../use-query.js';

const DECISIONS = ['allow', 'ask', 'deny'];

export function Permissions({
  query,
}: {
  readonly query: Query<{ readonly policies: readonly ToolPolicyRow[] }>;
}) {
  const { text = '', decision = '' } = route.value.query;
  return (
    <Loaded query={query}>
      {({ policies }) => {
        const shown = policies.filter(
          (row) =>
            (decision === '' || row.decision === decision) &&
            `${row.tool} ${row.risk} ${row.why ?? ''}`.toLowerCase().includes(text.toLowerCase()),
        );
        return (
          <>
            <div class="tools">
              <input
                type="search"
                aria-label="Search tools"
                placeholder="Search tools"
                value={text}
                onInput={(event) => setQuery({ text: event.currentTarget.value })}
              />
              <select
                aria-label="Decision"
                value={decision}
                onChange={(event) => setQuery({ decision: event.currentTarget.value })}
              >
                <option value="">Any decision</option>
                {DECISIONS.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </div>
            <Card title={plural(shown.length, 'tool')} isFlush>
              <DataTable
                label="Permissions of each tool"
                columns={columnsOf(query.reload)}
                rows={shown}
                keyOf={({ tool }) => tool}
                empty={
                  <Empty
                    title={policies.length === 0 ? 'No tools are known yet' : 'No tool matches'}
                  />
                }
              />
            </Card>
          </>
        );
      }}
    </Loaded>
  );
}

function columnsOf(reload: () => void): readonly Column<ToolPolicyRow>[] {
  return [
    { title: 'Tool', cell: ({ tool }) => <ToolName id={tool} /> },
    { title: 'Definition', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Risk', cell: ({ risk }) => <StatusBadge status={risk} /> },
    { title: 'A call is', cell: ({ decision }) => <StatusBadge status={decision} /> },
    {
      title: 'Approved by',
      cell: ({ whom, decision }) =>
        decision === 'ask' ? (whom === 'person' ? 'a person' : 'agent or person') : '–',
    },
    {
      title: 'Why',
      cell: ({ why, reason }) => <span title={why ?? reason}>{why ?? reason ?? ''}</span>,
    },
    {
      title: 'Change',
      cell: ({ tool, status }) => (
        <ActionButton
          text={status === 'active' ? 'Block' : 'Approve'}
          kind="small"
          act={async () => {
            await ask(status === 'active' ? 'block' : 'approve', { tool });
            reload();
          }}
        />
      ),
    },
  ];
}
