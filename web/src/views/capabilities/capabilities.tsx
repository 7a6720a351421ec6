import type { CapabilityRow } from '../../../../src/control/contract/capabilities.js';
import { ask } from '../../api.js';
import { capabilitiesVersion } from '../../live.js';
import { StatusBadge, Tag } from '../../parts/badge.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { formatShare, plural } from '../../pure/format.js';
import { linkTo, route, setQuery } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { OneCapability } from './capability.js';

const COLUMNS: readonly Column<CapabilityRow>[] = [
  {
    title: 'Capability',
    cell: ({ name, isPinned }) => (
      <span class="row">
        <a class="strong cut" href={linkTo(['capabilities', name])} title={name}>
          {name}
        </a>
        {isPinned && <Tag text="pinned" tone="info" />}
      </span>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Uses', isNumber: true, cell: ({ uses }) => uses },
  { title: 'Worked', isNumber: true, cell: ({ successes }) => successes },
  { title: 'Reliability', isNumber: true, cell: ({ reliability }) => formatShare(reliability) },
  { title: 'Version', isNumber: true, cell: ({ version }) => version },
  {
    title: 'Offered',
    cell: ({ isOffered }) => (isOffered ? 'yes' : <span class="muted">no</span>),
  },
  {
    title: 'What it does',
    cell: ({ description, reason }) => (
      <span title={reason ?? description}>
        {reason ? <span class="bad-text">{reason}</span> : description}
      </span>
    ),
  },
];

/** All capabilities, or one. */
export function Capabilities() {
  const [, name] = route.value.path;
  return name === undefined ? <CapabilityList /> : <OneCapability key={name} name={name} />;
}

function CapabilityList() {
  const { text = '', status = '' } = route.value.query;
  const query = useQuery(
    (signal) => ask('capabilities', {}, signal),
    'capabilities',
    capabilitiesVersion.value,
  );
  return (
    <Page
      title="Capabilities"
      about="Code that PML learned from runs that worked, ready to be called again."
    >
      <Loaded query={query}>
        {({ capabilities }) => {
          const shown = capabilities.filter(
            (row) =>
              (status === '' || row.status === status) &&
              `${row.name} ${row.description}`.toLowerCase().includes(text.toLowerCase()),
          );
          return (
            <>
              <div class="tools">
                <input
                  type="search"
                  aria-label="Search capabilities"
                  placeholder="Search by name or description"
                  value={text}
                  onInput={(event) => setQuery({ text: event.currentTarget.value })}
                />
                <select
                  aria-label="Status"
                  value={status}
                  onChange={(event) => setQuery({ status: event.currentTarget.value })}
                >
                  <option value="">Any status</option>
                  {['active', 'quarantined', 'disabled'].map((one) => (
                    <option key={one} value={one}>
                      {one}
                    </option>
                  ))}
                </select>
              </div>
              <Card title={plural(shown.length, 'capability', 'capabilities')} isFlush>
                <DataTable
                  label="Capabilities"
                  columns={COLUMNS}
                  rows={shown}
                  keyOf={({ name }) => name}
                  empty={
                    <Empty
                      title={
                        capabilities.length === 0 ? 'No capabilities yet' : 'No capability matches'
                      }
                    >
                      <p>PML learns one when an agent runs code that works.</p>
                    </Empty>
                  }
                />
              </Card>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
