/** Lone writing calls whose daemon is killed at any moment, over real processes. */
import { expect, test } from 'vitest';

import { playRounds, type Round } from '../helpers/kill-round.js';
import { seeded } from '../helpers/seeded.js';
import { below, playEverywhere, type Random, sumOf } from '../helpers/strike.js';

const SEED = 20_261_118;
/** The whole suite has 200: `PML_KILLS=200 npx vitest run --project process test/process/lone-kills.test.ts`. */
const KILLS = Number(process.env['PML_KILLS'] ?? 12);

// covers: RUN-LONE-KILLED
test(
  'a lone writing call whose daemon is killed is reported with its outcome or as in doubt, and made once',
  { timeout: 3_600_000 },
  async () => {
    const random = seeded(SEED);
    const rounds = Array.from({ length: KILLS }, (_, at) => planRound(`lone${at}`, at, random));

    const reports = await playEverywhere([rounds], playRounds);

    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
    expect(sumOf(reports, ({ kills }) => kills)).toBeGreaterThanOrEqual(KILLS);
    // Guards against a test that kills at moments when nothing can go wrong.
    expect(
      sumOf(reports, ({ doubts }) => doubts),
      'no call was in doubt',
    ).toBeGreaterThan(0);
  },
);

/** Some calls end before the daemon has to make a run of them, some later. */
function planRound(intent: string, at: number, random: Random): Round {
  const isQuick = at % 2 === 0;
  const waits = isQuick ? { beforeMs: below(random, 10) } : { afterMs: 20 + below(random, 120) };
  const tool = at % 3 === 0 ? 'two:append' : 'one:append';
  return {
    intent,
    tasks: [{ id: 't1', tool, args: { key: intent, ...waits } }],
    kill: { written: at % 4 === 1 ? 1 : 0, afterMs: below(random, 40) },
    killsServers: false,
    again: [],
  };
}
