import { type ApprovalMode, asText, type JsonObject, PmlError, runId } from '../../core/index.js';
import type { LiveRun } from '../../executor/index.js';
import type { Gateway } from '../../gateway/index.js';
import { decideRun, listenToRun, readContinue, startWorkflow } from '../../workflows/index.js';
import { asJson } from '../as-json.js';
import { describeEvent, describeRun, describeRunDetails } from './describe.js';

interface RunningDaemon {
  readonly gateway: Gateway;
}

const APPROVALS: readonly ApprovalMode[] = ['risky', 'per_layer', 'never'];
const LISTED_RUNS = 20;
const MOST_RUNS = 1_000;
const MOST_WAIT_MS = 30_000;

/**
 * Starts a workflow for nobody who waits: `{run}`, or the plan of a dry run as `{plan}`. What the user
 * typed (`userApprove`) wins over the configuration; what a file says (`approve`) can only tighten it.
 */
export async function startRun(
  { gateway }: RunningDaemon,
  { userApprove, ...args }: JsonObject,
): Promise<JsonObject> {
  await gateway.catalogLoaded;
  const approve = APPROVALS.find((mode) => mode === userApprove);
  const started = await startWorkflow(gateway, args, approve && { approve });
  if (started.kind === 'plan') return { plan: started.answer.structuredContent ?? null };
  return { run: started.live.state.run };
}

export async function listRuns({ gateway }: RunningDaemon, params: JsonObject) {
  const wanted = Math.min(wholeNumber(params, 'limit', LISTED_RUNS), MOST_RUNS);
  const views = await gateway.runs.list({ limit: wanted });
  const now = Date.now();
  return { runs: views.map((view) => asJson(describeRun(view, now))) };
}

export async function showRun({ gateway }: RunningDaemon, params: JsonObject): Promise<JsonObject> {
  const run = runId(asText(params['run']));
  const view = await gateway.runs.find(run);
  const events = await gateway.runs.events(run);
  const isFull = params['full'] === true;
  return asJson(describeRunDetails(view, events, { now: Date.now(), isFull }));
}

/** What happened after event `after`; waits a while for something to happen. */
export async function watchRun(
  { gateway }: RunningDaemon,
  params: JsonObject,
): Promise<JsonObject> {
  const run = runId(asText(params['run']));
  const after = wholeNumber(params, 'after', 0);
  const waitMs = Math.min(wholeNumber(params, 'waitMs', 0), MOST_WAIT_MS);
  let events = await gateway.runs.events(run);
  const { live } = await gateway.runs.find(run);
  if (live && events.length <= after && waitMs > 0 && live.phase !== 'finished') {
    await somethingHappens(gateway, live, waitMs);
    events = await gateway.runs.events(run);
  }
  const view = await gateway.runs.find(run);
  return asJson({
    events: events.slice(after).map((event) => describeEvent(event, view.state)),
    next: events.length,
    run: describeRunDetails(view, events, { now: Date.now() }),
  });
}

export async function decide({ gateway }: RunningDaemon, params: JsonObject): Promise<JsonObject> {
  await gateway.catalogLoaded;
  const request = readContinue(params);
  if (!request.run) throw new PmlError('BAD_REQUEST', 'run is missing');
  const view = await decideRun(gateway, runId(request.run), request, { by: 'user' });
  return asJson(describeRun(view, Date.now()));
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

function wholeNumber(params: JsonObject, key: string, fallback: number): number {
  const value = params[key] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new PmlError('BAD_REQUEST', `${key} must be a whole number, got ${JSON.stringify(value)}`);
}
