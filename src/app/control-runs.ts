import { setTimeout as delay } from 'node:timers/promises';

import { asText, type JsonObject, PmlError, runId } from '../core/index.js';
import { decideRun, type Gateway, readContinue, startWorkflow } from '../gateway/index.js';
import { asJson } from './as-json.js';
import { describeEvent, describeRun, describeRunDetails } from './describe-run.js';

interface RunningDaemon {
  readonly gateway: Gateway;
}

const MOST_RUNS = 1_000;
const MOST_WAIT_MS = 30_000;

/** Starts a workflow for nobody who waits: `{run}`, or the plan of a dry run as `{plan}`. */
export async function startRun({ gateway }: RunningDaemon, args: JsonObject): Promise<JsonObject> {
  await gateway.catalogLoaded;
  const started = await startWorkflow(gateway, args);
  if (started.kind === 'plan') return { plan: started.answer.structuredContent ?? null };
  return { run: started.live.state.run };
}

export async function listRuns({ gateway }: RunningDaemon, { limit }: JsonObject) {
  const wanted = typeof limit === 'number' ? Math.min(limit, MOST_RUNS) : 20;
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
    const watched = live.watch();
    await Promise.race([watched.next(), delay(waitMs, undefined, { ref: false })]);
    void watched.return(); // Ends with what happens next.
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
  const view = await decideRun(gateway, runId(request.run), request, 'user');
  return asJson(describeRun(view, Date.now()));
}

function wholeNumber(params: JsonObject, key: string, fallback: number): number {
  const value = params[key] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new PmlError('BAD_REQUEST', `${key} must be a whole number, got ${JSON.stringify(value)}`);
}
