import { runId } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import {
  decideRun,
  listenToRun,
  readContinue,
  startCode,
  startWorkflow,
  type Workflows,
} from '../../workflows/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type {
  ReachedTools,
  PlanAnswer,
  RunDetails,
  RunInfo,
  RunStarted,
  RunWatchAnswer,
} from '../contract/runs.js';
import { describeEvent, describeRun, describeRunDetails } from './describe.js';

interface RunningDaemon {
  readonly workflows: Workflows;
}

const LISTED_RUNS = 20;
const MOST_RUNS = 1_000;
const MOST_WAIT_MS = 30_000;

/**
 * Starts a workflow without a waiting client: `{run}`, or `{plan}` of a dry run. What the user
 * typed (`userApprove`) wins over the configuration; what a file says (`approve`) can only tighten it.
 */
export async function startRun(
  { workflows }: RunningDaemon,
  { userApprove: approve, ...args }: ControlParams<'run-start'>,
): Promise<RunStarted> {
  await workflows.tools.catalogLoaded;
  const started = await startWorkflow(workflows, args, {
    isFull: true,
    ...(approve && { approve }),
  });
  if (started.kind === 'run') return { run: started.live.state.run };
  // The type of a tool's answer is JSON; the form of this one is known.
  return { plan: started.answer.structuredContent as PlanAnswer };
}

/** The same for a script. */
export async function startCodeRun(
  { workflows }: RunningDaemon,
  { userApprove: approve, ...args }: ControlParams<'code-start'>,
): Promise<ControlResult<'code-start'>> {
  const started = await startCode(workflows, args, {
    isReadOnly: false,
    ...(approve && { approve }),
  });
  if (started.kind === 'run') return { run: started.live.state.run };
  // The type of a tool's answer is JSON; the form of this one is known.
  return { effects: started.answer.structuredContent as ReachedTools };
}

export async function listRuns(
  { workflows }: RunningDaemon,
  { limit = LISTED_RUNS }: ControlParams<'runs'>,
): Promise<ControlResult<'runs'>> {
  const views = await workflows.runs.list({ limit: Math.min(limit, MOST_RUNS) });
  const now = Date.now();
  return { runs: views.map((view) => describeRun(view, now)) };
}

export async function showRun(
  { workflows }: RunningDaemon,
  { run: id, full: isFull = false }: ControlParams<'run-show'>,
): Promise<RunDetails> {
  const run = runId(id);
  const view = await workflows.runs.find(run);
  const events = await workflows.runs.events(run);
  return describeRunDetails(view, events, { now: Date.now(), isFull });
}

/** The events after event `after`; waits a while for the next one. */
export async function watchRun(
  { workflows }: RunningDaemon,
  { run: id, after = 0, waitMs: wanted = 0 }: ControlParams<'run-watch'>,
): Promise<RunWatchAnswer> {
  const run = runId(id);
  const waitMs = Math.min(wanted, MOST_WAIT_MS);
  let events = await workflows.runs.events(run);
  const { live } = await workflows.runs.find(run);
  if (live && events.length <= after && waitMs > 0 && live.phase !== 'finished') {
    await somethingHappens(workflows, live, waitMs);
    events = await workflows.runs.events(run);
  }
  const view = await workflows.runs.find(run);
  return {
    events: events.slice(after).map((event) => describeEvent(event, view.state)),
    next: events.length,
    run: describeRunDetails(view, events, { now: Date.now() }),
  };
}

export async function decide(
  { workflows }: RunningDaemon,
  params: ControlParams<'run-decide'>,
): Promise<RunInfo> {
  await workflows.tools.catalogLoaded;
  const view = await decideRun(workflows, runId(params.run), readContinue(params), { by: 'user' });
  return describeRun(view, Date.now());
}

/** Resolves with the next event, or after a while. */
function somethingHappens({ log }: Workflows, live: LiveRun, waitMs: number): Promise<void> {
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
