import type { SearchStatus } from '../../../../src/control/contract/search.js';
import { now } from '../../clock.js';
import { daemonStatus, metrics, questions, runs } from '../../live.js';
import { Figures, Page } from '../../parts/page.js';
import { Loading } from '../../parts/states.js';
import { formatBytes, formatMs } from '../../pure/format.js';
import { CallsCard } from './calls-card.js';
import { ClientsCard } from './clients-card.js';
import { LastCalls } from './last-calls.js';
import { QualityCard } from './quality-card.js';
import { Questions } from './questions.js';
import { RunsNow } from './runs-now.js';
import { ServersCard } from './servers-card.js';

/** What runs now, and what waits for the user. */
export function Overview() {
  const status = daemonStatus.value;
  return (
    <Page title="Overview" about="What runs now, what waits for you, and how PML is doing.">
      {!status ? (
        <Loading />
      ) : (
        <>
          <Problems />
          <Questions questions={questions.value} />
          <Summary />
          <div class="grid-2">
            <CallsCard />
            <RunsNow runs={runs.value} />
          </div>
          <ServersCard status={status} />
          <div class="grid-2">
            <div class="stack">
              <ClientsCard />
              <QualityCard />
            </div>
            <LastCalls />
          </div>
        </>
      )}
    </Page>
  );
}

function Problems() {
  const status = daemonStatus.value;
  if (!status) return null;
  const problems = [
    ...(status.rejectedConfig
      ? [`The configuration is not used: ${status.rejectedConfig.message}`]
      : []),
    ...('error' in status.store ? [`There is no store: ${status.store.error}`] : []),
    ...('failing' in status.store
      ? (status.store.failing ?? []).map(
          ({ what, error }) => `The store fails at ${what}: ${error}`,
        )
      : []),
    ...(status.journal?.problems ?? []),
    ...(status.search.error ? [`Search by meaning: ${status.search.error}`] : []),
  ];
  return (
    <>
      {problems.map((text) => (
        <p key={text} class="notice warn">
          {text}
        </p>
      ))}
    </>
  );
}

function Summary() {
  const status = daemonStatus.value;
  const tick = metrics.value;
  if (!status || !tick) return null;
  const calls = tick.callsPerMinute.reduce((sum, count) => sum + count, 0);
  const failures = tick.failuresPerMinute.reduce((sum, count) => sum + count, 0);
  const tools = status.servers.reduce((sum, server) => sum + server.tools, 0);
  const upMs = status.uptimeMs + Math.max(0, now.value - Date.parse(tick.at));
  return (
    <Figures
      items={[
        { name: 'Active runs', value: tick.activeRuns },
        {
          name: 'Calls, last hour',
          value: calls,
          note: failures > 0 ? `${failures} failed` : 'none failed',
        },
        { name: 'Tools', value: tools, note: meaningNote(status.search) },
        { name: 'Past requests', value: status.search.remembered, note: 'remembered' },
        { name: 'Daemon', value: formatBytes(tick.rssBytes), note: `up ${formatMs(upMs)}` },
      ]}
    />
  );
}

/** The index counts capabilities too, so its numbers are compared only with each other. */
function meaningNote({ indexed, tools }: SearchStatus): string {
  if (indexed === 0) return 'found by words';
  return indexed < tools ? `${indexed} of ${tools} found by meaning` : 'all found by meaning';
}
