import {
  clientRows,
  type ControlledDaemon,
  type DashboardSnapshot,
  listActivity,
  listRuns,
  metricsTick,
  showStatus,
  waitingQuestions,
} from '../../control/index.js';

const SHOWN_RUNS = 50;
const SHOWN_CALLS = 100;

/** Everything the first view shows. */
export async function takeSnapshot(
  daemon: ControlledDaemon,
): Promise<Omit<DashboardSnapshot, 'type' | 'seq' | 'epoch' | 'at'>> {
  const [status, { runs }, { rows: calls }] = await Promise.all([
    showStatus(daemon),
    listRuns(daemon, { limit: SHOWN_RUNS }),
    listActivity(daemon, { limit: SHOWN_CALLS }),
  ]);
  const now = Date.now();
  return {
    status,
    clients: clientRows(daemon.sessions),
    runs,
    questions: waitingQuestions(daemon.workflows, now),
    calls,
    metrics: metricsTick(daemon, now),
  };
}
