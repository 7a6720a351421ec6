import type { DaemonStatus, ServerRow } from '../../../../src/control/contract/status.js';
import { ask } from '../../api.js';
import { ActionButton } from '../../parts/action-button.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { formatMs, plural } from '../../pure/format.js';
import { linkTo } from '../../router.js';

interface ShownServer extends Pick<ServerRow, 'name'> {
  readonly state: string;
  readonly kind?: ServerRow['kind'];
  readonly tools?: number;
  readonly runningCalls?: number;
  readonly problem?: string;
}

const COLUMNS: readonly Column<ShownServer>[] = [
  {
    title: 'Server',
    cell: ({ name }) => (
      <a class="strong" href={linkTo(['activity'], { server: name })}>
        {name}
      </a>
    ),
  },
  { title: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { title: 'Kind', cell: ({ kind }) => <span class="muted">{kind ?? '–'}</span> },
  { title: 'Tools', isNumber: true, cell: ({ tools }) => tools ?? '–' },
  { title: 'Calls now', isNumber: true, cell: ({ runningCalls }) => runningCalls ?? '–' },
  {
    title: 'Last error',
    cell: ({ problem }) =>
      problem ? (
        <span class="bad-text" title={problem}>
          {problem}
        </span>
      ) : (
        <span class="muted">none</span>
      ),
  },
];

export function ServersCard({ status }: { readonly status: DaemonStatus }) {
  const rows = shownServers(status);
  return (
    <Card
      title="Servers"
      isFlush
      aside={
        <>
          <span class="small muted">{plural(rows.length, 'server')}</span>
          <ActionButton text="Refresh lists" kind="small" act={() => ask('refresh', {})} />
        </>
      }
    >
      <DataTable
        label="Servers"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ name }) => name}
        empty={
          <Empty title="No servers yet">
            <p>
              Add one with <code>pml add</code>, or import those of your clients with{' '}
              <code>pml init</code>.
            </p>
          </Empty>
        }
      />
    </Card>
  );
}

/** Failing servers first: they are what a person looks for. */
function shownServers({ servers, broken, disabled }: DaemonStatus): readonly ShownServer[] {
  const known = servers.map((server) => {
    const retry = server.retryInMs > 0 ? ` (next try in ${formatMs(server.retryInMs)})` : '';
    return { ...server, ...(server.lastError && { problem: `${server.lastError}${retry}` }) };
  });
  return [
    ...Object.entries(broken).map(([name, problem]) => ({ name, state: 'failing', problem })),
    ...known.filter(({ state }) => state === 'failing'),
    ...known.filter(({ state }) => state !== 'failing'),
    ...disabled.map((name) => ({ name, state: 'disabled' })),
  ];
}
