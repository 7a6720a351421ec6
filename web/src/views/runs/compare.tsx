import type { RunDetails, RunInfo } from '../../../../src/control/contract/runs.js';
import { ask } from '../../api.js';
import { StatusBadge, Tag } from '../../parts/badge.js';
import { Card, Figures, Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { ToolName } from '../../parts/tool-name.js';
import { type ComparedTask, compareRuns } from '../../pure/compare-runs.js';
import { formatMs } from '../../pure/format.js';
import { goTo, linkTo } from '../../router.js';
import { useQuery } from '../../use-query.js';

interface CompareProps {
  readonly left: string;
  readonly right: string | undefined;
}

/** Two runs of the same plan, task by task. */
export function Compare({ left, right }: CompareProps) {
  const one = useQuery((signal) => ask('run-show', { run: left, full: true }, signal), left);
  const list = useQuery((signal) => ask('runs', { limit: 200 }, signal), 'compare');
  return (
    <Page
      title="Compare runs"
      crumbs={[
        { text: 'Runs', href: linkTo(['runs']) },
        { text: one.data?.intent ?? left, href: linkTo(['runs', left]) },
      ]}
      actions={
        <OtherRun
          left={left}
          right={right}
          intent={one.data?.intent}
          runs={list.data?.runs ?? []}
        />
      }
    >
      <Loaded query={one}>
        {(details) =>
          right === undefined ? (
            <Empty title="Select a run to compare with">
              <p>Runs of the same request come first in the list.</p>
            </Empty>
          ) : (
            <Both left={details} right={right} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface OtherProps extends CompareProps {
  readonly intent: string | undefined;
  readonly runs: readonly RunInfo[];
}

function OtherRun({ left, right, intent, runs }: OtherProps) {
  const others = runs.filter(({ run }) => run !== left);
  const alike = others.filter((one) => one.intent !== undefined && one.intent === intent);
  const rest = others.filter((one) => !alike.includes(one));
  const option = ({ run, intent: own, status }: RunInfo) => (
    <option key={run} value={run}>
      {(own ?? run).slice(0, 60)} ({status}, {run})
    </option>
  );
  return (
    <select
      aria-label="Compare with"
      value={right ?? ''}
      onChange={(event) => goTo(['runs', left, 'compare', event.currentTarget.value])}
    >
      <option value="">Compare with…</option>
      {alike.length > 0 && <optgroup label="Same request">{alike.map(option)}</optgroup>}
      {rest.length > 0 && <optgroup label="Other runs">{rest.map(option)}</optgroup>}
    </select>
  );
}

function Both({ left, right }: { readonly left: RunDetails; readonly right: string }) {
  const other = useQuery((signal) => ask('run-show', { run: right, full: true }, signal), right);
  return (
    <Loaded query={other}>
      {(details) => (
        <>
          <Figures
            items={[
              { name: 'First run', value: formatMs(left.ms), note: left.run },
              { name: 'Second run', value: formatMs(details.ms), note: details.run },
              { name: 'Difference', value: signed(details.ms - left.ms) },
            ]}
          />
          <Card title="Tasks" isFlush>
            <DataTable
              label="Tasks of both runs"
              columns={columnsOf(left.run, details.run)}
              rows={compareRuns(left.tasks, details.tasks)}
              keyOf={({ key }) => key}
              empty={<Empty title="Neither run has tasks" />}
            />
          </Card>
        </>
      )}
    </Loaded>
  );
}

function signed(ms: number): string {
  return ms === 0 ? 'same' : `${ms > 0 ? '+' : '−'}${formatMs(Math.abs(ms))}`;
}

function columnsOf(left: string, right: string): readonly Column<ComparedTask>[] {
  const side = (run: string, task: ComparedTask['left']) =>
    task ? (
      <a class="row" href={linkTo(['runs', run], { step: task.id })}>
        <StatusBadge status={task.status} /> {formatMs(task.ms)}
      </a>
    ) : (
      <span class="muted">missing</span>
    );
  return [
    { title: 'Tool', cell: ({ tool }) => <ToolName id={tool} /> },
    { title: 'First run', cell: (row) => side(left, row.left) },
    { title: 'Second run', cell: (row) => side(right, row.right) },
    {
      title: 'Difference',
      isNumber: true,
      cell: ({ moreMs }) => (moreMs === undefined ? '–' : signed(moreMs)),
    },
    {
      title: 'Arguments',
      cell: ({ isSameArgs }) => (
        <Tag text={isSameArgs ? 'same' : 'different'} tone={isSameArgs ? 'idle' : 'warn'} />
      ),
    },
    {
      title: 'Result',
      cell: ({ isSameResult }) => (
        <Tag text={isSameResult ? 'same' : 'different'} tone={isSameResult ? 'idle' : 'warn'} />
      ),
    },
  ];
}
