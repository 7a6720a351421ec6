/** Workflows whose daemon is killed at any moment of their life, over real processes. */
import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createCounter, execute, goOn, runOf } from '../helpers/counter.js';
import {
  type PlannedTask,
  playRounds,
  type Round,
  type RoundReport,
} from '../helpers/kill-round.js';
import { seeded } from '../helpers/seeded.js';
import { below, playEverywhere, type Random, sumOf } from '../helpers/strike.js';
import { killIfAlive } from '../helpers/workspace.js';

const SEED = 20_261_116;
const WORKSPACES = 3;
const ROUNDS = 10;

// covers: RUN-DURABLE
// covers: RUN-IN-DOUBT
test(
  'workflow makes every call once whenever the daemon is killed, and reports calls in doubt',
  { timeout: 600_000 },
  async () => {
    const random = seeded(SEED);
    const plans = Array.from({ length: WORKSPACES }, (_, place) =>
      Array.from({ length: ROUNDS }, (_one, at) => planRound(`w${place}r${at}`, at, random)),
    );

    const reports = await playEverywhere(plans, playRounds);

    const sum = (of: (report: RoundReport) => number) => sumOf(reports, of);
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
    // Guards against a test that kills at moments when nothing can go wrong.
    expect(sum(({ kills }) => kills)).toBeGreaterThanOrEqual(40);
    expect(
      sum(({ doubts }) => doubts),
      'no call was in doubt',
    ).toBeGreaterThan(8);
    expect(sum(({ end }) => Number(end === 'completed'))).toBeGreaterThan(15);
    expect(sum(({ wasAnswered }) => Number(!wasAnswered))).toBeGreaterThan(15);
  },
);

test('risky call is made once when the daemon is killed just after the approval', async () => {
  await using counter = await createCounter();
  const { workspace, timesOf } = counter;
  const client = await workspace.connect();

  for (const afterMs of [0, 1, 3, 8, 20, 60]) {
    const key = `wipe-${afterMs}`;
    const tasks = [
      { id: 'before', tool: 'one:append', args: { key: `${key}-before` } },
      { id: 'wipe', tool: 'two:delete_all', args: { key, afterMs: 20 }, needs: ['before'] },
    ];
    const { run } = runOf(await execute(client, tasks));
    const deciding = goOn(client, run, 'approve');
    await delay(afterMs);
    killIfAlive(workspace.daemonPid());
    await deciding;

    let told = runOf(await goOn(client, run, 'wait'));
    while (told.status !== 'completed') {
      const isHeld = told.status === 'needs_approval';
      const isThere = timesOf(key) === 1;
      expect(isHeld && isThere, 'it asks for what was done').toBe(false);
      const [decision, rest] = isThere ? ['skip', { result: 'done' }] : ['retry', {}];
      told = runOf(await goOn(client, run, isHeld ? 'approve' : decision, rest));
    }
    expect([`${key}-before`, key].map(timesOf)).toEqual([1, 1]);
  }
});

/** Every third round kills more than once, every fourth also kills the servers. */
function planRound(intent: string, at: number, random: Random): Round {
  const tasks = planTasks(intent, at, random);
  return {
    intent,
    tasks,
    kill: momentOf(tasks.length, at, random),
    killsServers: at % 4 === 1,
    again: at % 3 === 2 ? Array.from({ length: 1 + (at % 2) }, () => below(random, 600)) : [],
    ...(at % 4 === 3 && { afterDecisionMs: below(random, 30) }),
  };
}

/** Some kills come before the first call, some after the last, most in between. */
function momentOf(tasks: number, at: number, random: Random): Round['kill'] {
  if (at % 5 === 0) return { written: 0, afterMs: below(random, 40) };
  if (at % 5 === 1) return { written: tasks, afterMs: below(random, 100) };
  return { written: below(random, tasks), afterMs: below(random, 30) };
}

const SHAPES = ['chain', 'fan', 'mixed'] as const;

function planTasks(intent: string, at: number, random: Random): readonly PlannedTask[] {
  const shape = SHAPES[at % SHAPES.length] ?? 'mixed';
  const count = 4 + below(random, 4);
  return Array.from({ length: count }, (_, place): PlannedTask => {
    const isLast = place === count - 1;
    const before = needsOf(shape, place, { isLast, random });
    const [first, ...others] = before.map((need) => `t${need}`);
    const isIdempotent = random() < 0.3;
    const waits = { afterMs: below(random, 40) };
    return {
      id: `t${place}`,
      tool: `${random() < 0.5 ? 'one' : 'two'}:${isIdempotent ? 'append_idempotent' : 'append'}`,
      args: {
        key: `${intent}t${place}`,
        ...waits,
        ...(!isIdempotent && { beforeMs: below(random, 20) }),
        ...(first && { after: { $ref: `${first}.key` } }),
      },
      ...(others.length > 0 && { needs: others }),
    };
  });
}

function needsOf(
  shape: (typeof SHAPES)[number],
  place: number,
  { isLast, random }: { isLast: boolean; random: Random },
): readonly number[] {
  if (place === 0) return [];
  const earlier = Array.from({ length: place }, (_, one) => one);
  if (shape === 'chain') return [place - 1];
  if (shape === 'fan') return isLast ? earlier.slice(1) : [0];
  return earlier.filter(() => random() < 0.35);
}
