import { useState } from 'preact/hooks';

import type { ActivityFilter, ActivityRow } from '../../../../src/control/contract/activity.js';
import { ask } from '../../api.js';
import { calls, snapshots } from '../../live.js';
import { StatusBadge, Tag } from '../../parts/badge.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Failure, Loading } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { Clock } from '../../parts/time.js';
import { ToolName } from '../../parts/tool-name.js';
import { filterCalls, mergeCalls } from '../../pure/filter-calls.js';
import { formatBytes, formatCount, formatMs } from '../../pure/format.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { CallDetails } from './call-details.js';
import { Filters } from './filters.js';

import './activity.css';

const PAGE = 200;

const COLUMNS: readonly Column<ActivityRow>[] = [
  { title: 'Time', cell: ({ at }) => <Clock at={at} /> },
  {
    title: 'Call',
    cell: ({ id, tool }) => (
      <a
        href={linkTo(['activity', id], route.value.query)}
        title={tool}
        aria-label={`${tool}, call ${id}`}
      >
        <ToolNameText id={tool} />
      </a>
    ),
  },
  {
    title: 'Outcome',
    cell: ({ outcome, isSpeculated }) => (
      <span class="row">
        <StatusBadge status={outcome} />
        {isSpeculated && <Tag text="ahead" tone="info" />}
      </span>
    ),
  },
  { title: 'Client', cell: ({ client }) => client },
  { title: 'Way', cell: ({ way }) => <span class="muted">{way}</span> },
  { title: 'Took', isNumber: true, cell: ({ ms }) => formatMs(ms) },
  {
    title: 'Size',
    isNumber: true,
    cell: ({ requestBytes, responseBytes }) => (
      <span title={`request ${formatBytes(requestBytes)}, response ${formatBytes(responseBytes)}`}>
        {formatBytes(responseBytes)}
      </span>
    ),
  },
  {
    title: 'Run',
    cell: ({ run, task }) =>
      run && <a href={linkTo(['runs', run], { step: task })}>{task ?? run}</a>,
  },
  {
    title: 'Error',
    cell: ({ error }) =>
      error && (
        <span class="bad-text" title={error}>
          {error}
        </span>
      ),
  },
];

/** Beside an open call there is room for these; its details show the rest. */
const BESIDE_DETAILS = new Set(['Time', 'Call', 'Outcome', 'Took']);
const NARROW_COLUMNS = COLUMNS.filter(({ title }) => BESIDE_DETAILS.has(title));

/** The name of a tool inside of a link. */
function ToolNameText({ id }: { readonly id: string }) {
  return id.startsWith('cap:') ? <span class="tool-name">{id}</span> : <ToolName id={id} />;
}

/** Every call through PML, live, with what was sent and answered. */
export function Activity() {
  const [, id] = route.value.path;
  const filter = filterOf(route.value.query);
  const listing = useListing(filter);
  return (
    <Page
      title="Activity"
      about="Every call through PML, newest first. New calls appear by themselves."
    >
      {listing.error && <Failure error={listing.error} retry={listing.reload} />}
      <Filters filter={filter} clients={listing.clients} servers={listing.servers} />
      <div class={id === undefined ? '' : 'activity-grid'}>
        <Card
          title="Calls"
          isFlush
          aside={
            <span class="small muted" aria-live="off">
              {formatCount(listing.rows.length)} shown of {formatCount(listing.kept)} kept,{' '}
              {formatCount(listing.total)} since the start
            </span>
          }
        >
          {listing.isLoading ? (
            <Loading />
          ) : (
            <DataTable
              label="Calls"
              columns={id === undefined ? COLUMNS : NARROW_COLUMNS}
              rows={listing.rows}
              keyOf={(row) => row.id}
              openKey={id}
              empty={
                <Empty title={Object.keys(filter).length > 0 ? 'No call matches' : 'No calls yet'}>
                  <p>Calls of every connected client appear here.</p>
                </Empty>
              }
            />
          )}
          {listing.more && (
            <p class="card-body">
              <button type="button" onClick={listing.more}>
                Older calls
              </button>
            </p>
          )}
        </Card>
        {id !== undefined && <CallDetails key={id} id={id} />}
      </div>
    </Page>
  );
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function filterOf(query: Readonly<Record<string, string>>): ActivityFilter {
  const filter: Mutable<ActivityFilter> = {};
  for (const key of ['text', 'client', 'tool', 'server', 'run'] as const) {
    const value = query[key];
    if (value) filter[key] = value;
  }
  const { way, outcome } = query;
  if (way === 'meta' || way === 'direct' || way === 'run') filter.way = way;
  if (outcome === 'ok' || outcome === 'error' || outcome === 'failed' || outcome === 'cancelled') {
    filter.outcome = outcome;
  }
  return filter;
}

/** What the daemon listed, with live calls on top. */
function useListing(filter: ActivityFilter) {
  const key = JSON.stringify(filter);
  const first = useQuery(
    (signal) => ask('activity', { ...filter, limit: PAGE }, signal),
    key,
    snapshots.value,
  );
  const [older, setOlder] = useState<{
    key: string;
    rows: readonly ActivityRow[];
    next?: string;
  }>();
  const own = older?.key === key ? older : undefined;
  const next = own ? own.next : first.data?.next;
  const live = filterCalls(calls.value, filter);
  const rows = mergeCalls(live, [...(first.data?.rows ?? []), ...(own?.rows ?? [])]);
  const readMore = async (before: string) => {
    const page = await ask('activity', { ...filter, before, limit: PAGE });
    setOlder({
      key,
      rows: [...(own?.rows ?? []), ...page.rows],
      ...(page.next !== undefined && { next: page.next }),
    });
  };
  return {
    rows,
    isLoading: first.isLoading,
    error: first.error,
    reload: first.reload,
    clients: first.data?.clients ?? [],
    servers: first.data?.servers ?? [],
    kept: Math.max(first.data?.kept ?? 0, rows.length),
    total: Math.max(first.data?.total ?? 0, rows.length),
    ...(next !== undefined && { more: () => void readMore(next).catch(first.reload) }),
  };
}
