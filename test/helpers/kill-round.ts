/**
 * Workflows whose daemon is killed at some moment. An agent inspects each run, decides and finishes
 * it; the round reports every broken promise.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { type Counter, execute, goOn, type RunAnswer, type RunAsk, runOf } from './counter.js';
import type { Answer, PmlClient } from './pml-client.js';
import { findRun, type Moment, strike, untilMoment } from './strike.js';

export interface PlannedTask {
  readonly id: string;
  readonly tool: string;
  readonly args: { readonly key: string; readonly after?: unknown } & Record<string, unknown>;
  readonly needs?: readonly string[];
}

export interface Round {
  readonly intent: string;
  readonly tasks: readonly PlannedTask[];
  readonly kill: Moment;
  readonly killsServers: boolean;
  /** More kills, each this many milliseconds after a new daemon appears. */
  readonly again: readonly number[];
  /** One more kill, this many milliseconds after a decision was sent. */
  readonly afterDecisionMs?: number;
}

export interface RoundReport {
  readonly kills: number;
  /** How the run ended; `never-begun` if no run exists. */
  readonly end: string;
  /** How many calls the agent was asked about. */
  readonly doubts: number;
  readonly wasAnswered: boolean;
  readonly faults: readonly string[];
}

const MOST_TURNS = 60;

/** Plays rounds one after the other. */
export async function playRounds(
  counter: Counter,
  rounds: readonly Round[],
): Promise<readonly RoundReport[]> {
  const { workspace } = counter;
  const reports: RoundReport[] = [];
  let client = await workspace.connect();
  for (const round of rounds) {
    const struck = await strikeRun(counter, client, round);
    if (round.again.length > 0) {
      // A relay waits a while for a daemon that died as it started; a new one does not.
      await client[Symbol.asyncDispose]();
      client = await workspace.connect();
    }
    reports.push(await judge(counter, client, round, struck));
  }
  return reports;
}

interface Struck {
  readonly kills: number;
  readonly answer: Answer;
}

/** Starts the run and kills the daemon that executes it. */
async function strikeRun(counter: Counter, client: PmlClient, round: Round): Promise<Struck> {
  await client.request('ping');
  const pid = counter.workspace.daemonPid();
  const answering = execute(client, round.tasks, { intent: round.intent });
  await untilMoment(counter, round.kill);
  strike(counter, round, pid);
  const answer = await answering;
  let last = pid;
  for (const afterMs of round.again) {
    last = await nextDaemon(counter, last);
    await delay(afterMs);
    strike(counter, round, last);
  }
  return { kills: 1 + round.again.length, answer };
}

async function judge(
  counter: Counter,
  client: PmlClient,
  round: Round,
  { kills, answer }: Struck,
): Promise<RoundReport> {
  const faults: string[] = [];
  if (answer.error && !answer.error.message.includes('pml_continue')) {
    faults.push(`the lost call does not say where to look: ${answer.error.message}`);
  }
  await client.request('ping');
  const run = await findRun(counter, round.intent);
  const wasAnswered = answer.error === undefined;
  if (!run) {
    const early = round.tasks.filter(({ args }) => counter.timesOf(args.key) > 0);
    faults.push(...early.map(({ id }) => `${id} was called without a run`));
    if (wasAnswered) faults.push('answered, and there is no run');
    return { kills, end: 'never-begun', doubts: 0, wasAnswered, faults };
  }
  const ending = { round, run, faults, kills };
  const { end, doubts, kills: all } = await bringToEnd(counter, client, ending);
  if (end !== 'completed') {
    const { stdout } = await counter.workspace.run('show', run, '--json');
    faults.push(`ended as ${end}: ${stdout}`);
  }
  faults.push(...countFaults(counter, round));
  return { kills: all, end, doubts, wasAnswered, faults };
}

async function nextDaemon({ workspace }: Counter, old: number | undefined): Promise<number> {
  const limit = AbortSignal.timeout(20_000);
  while (!limit.aborted) {
    const pid = workspace.daemonPid();
    if (pid !== undefined && pid !== old) return pid;
    // Polling more often would take CPU time that the daemon needs to start.
    await delay(25);
  }
  throw new Error(`no daemon came back\n${workspace.log}`);
}

interface Ending {
  readonly round: Round;
  readonly run: string;
  readonly faults: string[];
  readonly kills: number;
}

async function bringToEnd(
  counter: Counter,
  client: PmlClient,
  { round, run, faults, ...before }: Ending,
): Promise<{ end: string; doubts: number; kills: number }> {
  let { kills } = before;
  let doubts = 0;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const told = runOf(await goOn(client, run, 'wait'));
    if (told.status === 'running') continue;
    if (told.status !== 'needs_decision') return { end: told.status, doubts, kills };
    faults.push(...pauseFaults(counter, round, told));
    const [ask] = told.asks ?? [];
    if (!ask) return { end: 'asks nothing', doubts, kills };
    doubts++;
    const deciding = decide(counter, client, run, ask);
    if (round.afterDecisionMs !== undefined && kills === before.kills) {
      await delay(round.afterDecisionMs);
      strike(counter, round);
      kills++;
    }
    await deciding;
  }
  return { end: 'no end', doubts, kills };
}

/** The agent accepts calls that happened and retries calls that did not. */
function decide(counter: Counter, agent: PmlClient, run: string, { task, args }: RunAsk) {
  const key = String(args['key']);
  if (counter.timesOf(key) === 0) return goOn(agent, run, 'retry', { tasks: [task] });
  return goOn(agent, run, 'skip', { tasks: [task], result: { key, wrote: true } });
}

/** While a run asks, its status of every task must match what really happened. */
function pauseFaults(counter: Counter, { tasks }: Round, told: RunAnswer): readonly string[] {
  const faults: string[] = [];
  const asked = new Map((told.asks ?? []).map((ask) => [ask.task, ask]));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const task of tasks) {
    const status = told.tasks[task.id]?.status ?? 'missing';
    const times = counter.timesOf(task.args.key);
    const ask = asked.get(task.id);
    if ((status === 'in_doubt') !== (ask !== undefined)) {
      faults.push(`${task.id} is ${status} and ${ask ? '' : 'not '}asked about`);
    }
    if (ask) faults.push(...askFaults(ask, task, byId));
    if (isRepeatable(task)) continue;
    if (times > 1) faults.push(`${task.id} happened ${times} times`);
    if (status === 'completed' && times === 0) faults.push(`${task.id} is done and never happened`);
    if (status === 'waiting' && times > 0) faults.push(`${task.id} happened unrecorded`);
  }
  return faults;
}

function askFaults(
  ask: RunAsk,
  task: PlannedTask,
  byId: ReadonlyMap<string, PlannedTask>,
): readonly string[] {
  const { after } = task.args;
  const reference = (after as { $ref?: string } | undefined)?.$ref?.split('.')[0];
  const expected = {
    ...task.args,
    ...(reference !== undefined && { after: byId.get(reference)?.args.key }),
  };
  const isSame = JSON.stringify(sorted(ask.args)) === JSON.stringify(sorted(expected));
  return [
    ...(ask.tool === task.tool ? [] : [`${task.id}: asked about ${ask.tool}`]),
    ...(isSame ? [] : [`${task.id}: asked with ${JSON.stringify(ask.args)}`]),
    ...(isRepeatable(task) ? [`${task.id} is repeatable and asked about`] : []),
  ];
}

function sorted(value: Record<string, unknown>): readonly (readonly [string, unknown])[] {
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function countFaults(counter: Counter, { tasks }: Round): readonly string[] {
  return tasks.flatMap((task) => {
    const times = counter.timesOf(task.args.key);
    const isRight = isRepeatable(task) ? times >= 1 : times === 1;
    return isRight ? [] : [`${task.id} (${task.tool}) happened ${times} times`];
  });
}

function isRepeatable({ tool }: PlannedTask): boolean {
  return tool.endsWith('append_idempotent');
}
