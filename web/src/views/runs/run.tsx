import type { RunDetails } from '../../../../src/control/contract/runs.js';
import { questions } from '../../live.js';
import { StatusBadge } from '../../parts/badge.js';
import { DecisionButtons } from '../../parts/decide.js';
import { Page, Segments } from '../../parts/page.js';
import { Failure, Loaded } from '../../parts/states.js';
import { Ago } from '../../parts/time.js';
import { callsOfRun } from '../../pure/call-sequence.js';
import { formatMs } from '../../pure/format.js';
import { runAt } from '../../pure/replay.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { Questions } from '../overview/questions.js';
import { CallSequence } from './call-sequence.js';
import { History } from './history.js';
import { Replay } from './replay.js';
import { RunDag } from './run-dag.js';
import { StepPane } from './step-pane.js';
import { readEvents, useRun } from './use-run.js';
import { Waterfall } from './waterfall.js';

import './runs.css';

const OPEN = new Set<RunDetails['status']>(['running', 'needs_approval', 'needs_decision']);

export function OneRun({ run }: { readonly run: string }) {
  const query = useRun(run);
  const details = query.data;
  return (
    <Page
      title={details?.intent ?? run}
      crumbs={[{ text: 'Runs', href: linkTo(['runs']) }]}
      about={details && <RunFacts details={details} />}
      actions={details && <RunActions details={details} />}
    >
      <Loaded query={query}>{(data) => <RunBody details={data} />}</Loaded>
    </Page>
  );
}

function RunFacts({ details }: { readonly details: RunDetails }) {
  return (
    <span class="row wrap-row">
      <StatusBadge status={details.status} />
      <code>{details.run}</code>
      <span>
        {formatMs(details.ms)}, started <Ago at={details.startedAt} />
      </span>
    </span>
  );
}

function RunActions({ details }: { readonly details: RunDetails }) {
  const { run, status } = details;
  const { view = 'waterfall', step } = route.value.query;
  return (
    <>
      <Segments
        label="View of the run"
        items={[
          {
            text: 'Waterfall',
            href: linkTo(['runs', run], { step }),
            isCurrent: view === 'waterfall',
          },
          {
            text: 'Calls',
            href: linkTo(['runs', run], { view: 'calls', step }),
            isCurrent: view === 'calls',
          },
          {
            text: 'History',
            href: linkTo(['runs', run], { view: 'history' }),
            isCurrent: view === 'history',
          },
        ]}
      />
      <a class="button" href={linkTo(['runs', run, 'compare'])}>
        Compare
      </a>
      <a class="button" href={linkTo(['why'], { q: run })}>
        Why
      </a>
      {OPEN.has(status) && <DecisionButtons run={run} decisions={['abort']} />}
    </>
  );
}

function RunBody({ details }: { readonly details: RunDetails }) {
  const { view = 'waterfall' } = route.value.query;
  const asked = questions.value.filter(({ run }) => run.run === details.run);
  return (
    <>
      <Questions questions={asked} />
      {details.error && <p class="notice">{details.error.message}</p>}
      {OPEN.has(details.status) ? (
        <RunViews details={details} view={view} />
      ) : (
        <FinishedRun details={details} view={view} />
      )}
    </>
  );
}

/** A finished run can be moved through, event by event. */
function FinishedRun({ details, view }: { readonly details: RunDetails; readonly view: string }) {
  const events = useQuery((signal) => readEvents(details.run, signal), details.run);
  const given = Number(route.value.query['at'] ?? Number.NaN);
  const total = events.data?.length ?? 0;
  const place = Number.isInteger(given) ? Math.min(Math.max(0, given), total) : total;
  const shown = events.data && place < total ? runAt(details, events.data, place) : details;
  return (
    <>
      <Replay events={events.data ?? []} place={place} />
      {events.error && <Failure error={events.error} retry={events.reload} />}
      <RunViews details={shown} view={view} totalMs={details.ms} />
    </>
  );
}

function RunViews({
  details,
  view,
  totalMs = details.ms,
}: {
  readonly details: RunDetails;
  readonly view: string;
  readonly totalMs?: number;
}) {
  const { step } = route.value.query;
  const open = details.tasks.find(({ id }) => id === step);
  if (view === 'calls') {
    return (
      <div class="run-grid">
        <CallSequence calls={callsOfRun(details.tasks)} openId={step} run={details.run} />
        <StepPane run={details.run} task={open} />
      </div>
    );
  }
  if (view === 'history') return <History details={details} />;
  return (
    <div class="run-grid">
      <Waterfall
        run={details.run}
        tasks={details.tasks}
        totalMs={totalMs}
        nowMs={details.ms}
        openId={step}
      />
      <div class="stack">
        <RunDag run={details.run} tasks={details.tasks} openId={step} />
        <StepPane run={details.run} task={open} />
      </div>
    </div>
  );
}
