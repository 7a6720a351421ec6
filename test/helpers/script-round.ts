/**
 * Scripts whose daemon is killed at some moment, each brought to its end by an agent that looks
 * before it decides; everything that is not as promised is named.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { decideScript, type ScriptAnswer } from './code-client.js';
import type { Counter, RunAsk } from './counter.js';
import type { Answer, PmlClient } from './pml-client.js';
import { findRun, type Moment, strike, untilMoment } from './strike.js';
import { installWriters } from './writers.js';

export interface ScriptRound {
  readonly intent: string;
  /** The script, or the tasks of a plan. */
  readonly work: { readonly code: string } | { readonly tasks: readonly object[] };
  /** Keys the script writes, and whether a call that writes one may be made twice. */
  readonly keys: readonly { readonly key: string; readonly isRepeatable: boolean }[];
  /** Of the script, or of the task `a`. */
  readonly result: unknown;
  readonly kill: Moment;
  /** Takes servers and the process of the script along. */
  readonly killsServers: boolean;
  /** One more kill, so many milliseconds after the agent has asked again. */
  readonly againMs?: number;
}

export interface ScriptReport {
  readonly kills: number;
  readonly end: string;
  readonly doubts: number;
  readonly faults: readonly string[];
}

const MOST_TURNS = 40;

/** Plays rounds one after the other. */
export async function playScripts(
  counter: Counter,
  rounds: readonly ScriptRound[],
): Promise<readonly ScriptReport[]> {
  const client = await counter.workspace.connect();
  await client.request('ping');
  await installWriters(counter);
  const reports: ScriptReport[] = [];
  for (const round of rounds) reports.push(await playScript(counter, client, round));
  return reports;
}

async function playScript(
  counter: Counter,
  client: PmlClient,
  round: ScriptRound,
): Promise<ScriptReport> {
  await client.request('ping');
  const { work, intent } = round;
  const tool = 'code' in work ? 'pml_execute_code' : 'pml_execute_workflow';
  const answering = client.call(tool, { ...work, intent });
  await untilMoment(counter, round.kill);
  strike(counter, round);
  const answer = await answering;
  let kills = 1;
  if (round.againMs !== undefined) {
    const asking = client.request('ping');
    await delay(round.againMs);
    strike(counter, round);
    await asking;
    kills++;
  }
  await client.request('ping');
  return { kills, ...(await judge(counter, client, { round, answer })) };
}

async function judge(
  counter: Counter,
  client: PmlClient,
  { round, answer }: { readonly round: ScriptRound; readonly answer: Answer },
): Promise<Omit<ScriptReport, 'kills'>> {
  const run = await findRun(counter, round.intent);
  const faults: string[] = [];
  if (answer.error && !answer.error.message.includes('pml_continue')) {
    faults.push(`the lost call does not say where to look: ${answer.error.message}`);
  }
  if (!run) {
    const early = round.keys.filter(({ key }) => counter.timesOf(key) > 0);
    faults.push(...early.map(({ key }) => `${key} was written without a run`));
    if (!answer.error)
      faults.push(`answered, and there is no run: ${JSON.stringify(answer.result)}`);
    return { end: 'never-begun', doubts: 0, faults };
  }
  const { told, doubts } = await bringToEnd(counter, client, { round, run, faults });
  if (told.status !== 'completed') {
    faults.push(`ended as ${told.status}: ${JSON.stringify(told.error ?? told.asks)}`);
  } else if (JSON.stringify(resultOf(told)) !== JSON.stringify(round.result)) {
    faults.push(`gave ${JSON.stringify(resultOf(told))}`);
  }
  for (const { key, isRepeatable } of round.keys) {
    const times = counter.timesOf(key);
    const isRight = isRepeatable ? times >= 1 : times === 1;
    if (!isRight) faults.push(`${key} was written ${times} times`);
  }
  return { end: told.status, doubts, faults };
}

function resultOf({ result, tasks }: ScriptAnswer): unknown {
  return tasks ? tasks['a']?.result : result;
}

interface Ending {
  readonly round: Pick<ScriptRound, 'keys'>;
  readonly run: string;
  readonly faults: string[];
}

/** Decides whatever a run asks as an agent does that looks first. */
export async function bringToEnd(
  counter: Counter,
  client: PmlClient,
  { round, run, faults }: Ending,
): Promise<{ readonly told: ScriptAnswer; readonly doubts: number }> {
  let doubts = 0;
  let told = await decideScript(client, run, 'wait');
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (told.status === 'running') {
      told = await decideScript(client, run, 'wait');
      continue;
    }
    const [ask] = told.asks ?? [];
    if (!ask) return { told, doubts };
    if (told.status === 'needs_decision') doubts++;
    faults.push(...askFaults(counter, round, ask));
    told = await decide(counter, client, { run, ask, status: told.status });
  }
  return { told, doubts };
}

/** What happened is taken as it is, what did not is done. */
function decide(
  { timesOf }: Counter,
  client: PmlClient,
  { run, ask, status }: { readonly run: string; readonly ask: RunAsk; readonly status: string },
): Promise<ScriptAnswer> {
  const tasks = [ask.task];
  const key = String(ask.args['key']);
  if (status === 'needs_approval') return decideScript(client, run, 'approve', { tasks });
  if (timesOf(key) === 0) return decideScript(client, run, 'retry', { tasks });
  return decideScript(client, run, 'skip', { tasks, result: { key, wrote: true } });
}

function askFaults(
  { timesOf }: Counter,
  { keys }: Pick<ScriptRound, 'keys'>,
  ask: RunAsk,
): readonly string[] {
  const key = String(ask.args['key']);
  const known = keys.find((one) => one.key === key);
  const isHeld = ask.decisions.includes('approve');
  return [
    ...(known ? [] : [`asked about ${key}, which the script never writes`]),
    ...(known?.isRepeatable ? [`${key} is repeatable and asked about`] : []),
    ...(isHeld && timesOf(key) > 0 ? [`${key} happened before it was approved`] : []),
  ];
}
