import type { RunInfo } from '../../../../src/control/contract/runs.js';
import { ask } from '../../api.js';
import { runs as liveRuns, snapshots } from '../../live.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card, Page } from '../../parts/page.js';
import { Empty, Failure } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { Ago } from '../../parts/time.js';
import { formatMs, plural } from '../../pure/format.js';
import { mergeRuns, searchRuns } from '../../pure/merge-runs.js';
import { linkTo, route, setQuery } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { Compare } from './compare.js';
import { OneRun } from './run.js';

const MOST_RUNS = 1_000;
const STATUSES: readonly RunInfo['status'][] = [
  'running',
  'needs_approval',
  'needs_decision',
  'completed',
  'failed',
  'rejected',
  'aborted',
  'damaged',
];

const COLUMNS: readonly Column<RunInfo>[] = [
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Intent',
    cell: ({ run, intent }) => (
      <a class="strong" href={linkTo(['runs', run])} title={intent ?? run}>
        {intent ?? run}
      </a>
    ),
  },
  { title: 'Run', cell: ({ run }) => <code class="muted">{run}</code> },
  { title: 'Tasks', cell: ({ counts }) => <TaskCounts counts={counts} /> },
  { title: 'Time', isNumber: true, cell: ({ ms }) => formatMs(ms) },
  { title: 'Started', isNumber: true, cell: ({ startedAt }) => <Ago at={startedAt} /> },
];

function TaskCounts({ counts }: { readonly counts: RunInfo['counts'] }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const done = counts.completed ?? 0;
  const failed = counts.failed ?? 0;
  return (
    <span>
      {done} of {total}
      {failed > 0 && <span class="bad-text"> · {failed} failed</span>}
    </span>
  );
}

/** All runs, one run, or two runs side by side. */
export function Runs() {
  const [, run, what, other] = route.value.path;
  if (run !== undefined && what === 'compare') return <Compare left={run} right={other} />;
  return run === undefined ? <RunList /> : <OneRun key={run} run={run} />;
}

function RunList() {
  const { text = '', status } = route.value.query;
  const listed = useQuery(
    (signal) => ask('runs', { limit: MOST_RUNS }, signal),
    'runs',
    snapshots.value,
  );
  const all = mergeRuns(listed.data?.runs ?? [], liveRuns.value);
  const shown = searchRuns(all, { text, status });
  return (
    <Page
      title="Runs"
      about="Every workflow that ran, newest first. New ones appear by themselves."
    >
      {listed.error && <Failure error={listed.error} retry={listed.reload} />}
      <div class="tools">
        <input
          type="search"
          aria-label="Search runs"
          placeholder="Search by intent or id"
          value={text}
          onInput={(event) => setQuery({ text: event.currentTarget.value })}
        />
        <select
          aria-label="Status"
          value={status ?? ''}
          onChange={(event) => setQuery({ status: event.currentTarget.value })}
        >
          <option value="">Any status</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {one.replace('_', ' ')}
            </option>
          ))}
        </select>
      </div>
      <Card title={plural(shown.length, 'run')} isFlush>
        <DataTable
          label="Runs"
          columns={COLUMNS}
          rows={shown}
          keyOf={({ run }) => run}
          empty={
            <Empty title={all.length === 0 ? 'No runs yet' : 'No run matches'}>
              <p>A run starts when an agent calls pml_execute_workflow or pml_execute_code.</p>
            </Empty>
          }
        />
      </Card>
    </Page>
  );
}
