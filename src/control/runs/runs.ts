import { runId } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import type { Gateway } from '../../gateway/index.js';
import { decideRun, listenToRun, readContinue, startWorkflow } from '../../workflows/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type {
  PlanAnswer,
  RunDetails,
  RunInfo,
  RunStarted,
  RunWatchAnswer,
} from '../contract/runs.js';
import { describeEvent, describeRun, describeRunDetails } from './describe.js';

interface RunningDaemon {
  readonly gateway: Gateway;
}

const LISTED_RUNS = 20;
const MOST_RUNS = 1_000;
const MOST_WAIT_MS = 30_000;

/**
 * Starts a workflow for nobody who waits: `{run}`, or the plan of a dry run as `{plan}`. What the user
 * typed (`userApprove`) wins over the configuration; what a file says (`approve`) can only tighten it.
 */
export async function startRun(
  { gateway }: RunningDaemon,
  { userApprove: approve, ...args }: ControlParams<'run-start'>,
): Promise<RunStarted> {
  await gateway.catalogLoaded;
  const started = await startWorkflow(gateway, args, approve && { approve });
  if (started.kind === 'run') return { run: started.live.state.run };
  // The answer of a tool is JSON to everybody; of this one the form is known.
  return { plan: started.answer.structuredContent as PlanAnswer };
}

export async function listRuns(
  { gateway }: RunningDaemon,
  { limit = LISTED_RUNS }: ControlParams<'runs'>,
): Promise<ControlResult<'runs'>> {
  const views = await gateway.runs.list({ limit: Math.min(limit, MOST_RUNS) });
  const now = Date.now();
  return { runs: views.map((view) => describeRun(view, now)) };
}

export async function showRun(
  { gateway }: RunningDaemon,
  { run: id, full: isFull = false }: ControlParams<'run-show'>,
): Promise<RunDetails> {
  const run = runId(id);
  const view = await gateway.runs.find(run);
  const events = await gateway.runs.events(run);
  return describeRunDetails(view, events, { now: Date.now(), isFull });
}

/** What happened after event `after`; waits a while for something to happen. */
export async function watchRun(
  { gateway }: RunningDaemon,
  { run: id, after = 0, waitMs: wanted = 0 }: ControlParams<'run-watch'>,
): Promise<RunWatchAnswer> {
  const run = runId(id);
  const waitMs = Math.min(wanted, MOST_WAIT_MS);
  let events = await gateway.runs.events(run);
  const { live } = await gateway.runs.find(run);
  if (live && events.length <= after && waitMs > 0 && live.phase !== 'finished') {
    await somethingHappens(gateway, live, waitMs);
    events = await gateway.runs.events(run);
  }
  const view = await gateway.runs.find(run);
  return {
    events: events.slice(after).map((event) => describeEvent(event, view.state)),
    next: events.length,
    run: describeRunDetails(view, events, { now: Date.now() }),
  };
}

export async function decide(
  { gateway }: RunningDaemon,
  params: ControlParams<'run-decide'>,
): Promise<RunInfo> {
  await gateway.catalogLoaded;
  const view = await decideRun(gateway, runId(params.run), readContinue(params), { by: 'user' });
  return describeRun(view, Date.now());
}

/** Resolves with the next event, or after a while. */
function somethingHappens({ log }: Gateway, live: LiveRun, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = listenToRun(live, end, log);
    const timer = setTimeout(end, waitMs).unref();
  });
}
