import type { ClientRow } from '../../../../src/control/contract/events.js';
import { clients } from '../../live.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { formatCount } from '../../pure/format.js';
import { linkTo } from '../../router.js';

const COLUMNS: readonly Column<ClientRow>[] = [
  {
    title: 'Client',
    cell: ({ name }) => (
      <a class="strong" href={linkTo(['activity'], { client: name })}>
        {name}
      </a>
    ),
  },
  {
    title: 'Tokens used',
    isNumber: true,
    cell: ({ usedTokens, budgetTokens }) => (
      <span title={`of a budget of ${budgetTokens}`}>{formatCount(usedTokens)}</span>
    ),
  },
  { title: 'Results', isNumber: true, cell: ({ resultTokens }) => formatCount(resultTokens) },
  {
    title: 'Tokens saved',
    isNumber: true,
    cell: ({ savedTokens }) => (
      <span class={savedTokens > 0 ? 'ok-text strong' : ''}>{formatCount(savedTokens)}</span>
    ),
  },
];

export function ClientsCard() {
  return (
    <Card title="Clients" isFlush>
      <DataTable
        label="Connected clients"
        columns={COLUMNS}
        rows={clients.value}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No client is connected">
            <p>
              Connect an agent with <code>pml init</code>; its calls appear here at once.
            </p>
          </Empty>
        }
      />
    </Card>
  );
}
