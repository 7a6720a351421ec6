/** Every way to start a run, with a slow disk and the daemon killed during a call. */
import { expect, test } from 'vitest';

import { playStarts, STARTS } from '../helpers/start-round.js';

// covers: RUN-DURABLE
// covers: RUN-IN-DOUBT
test(
  'run repeats no call after the daemon is killed during a call, however the run was started',
  { timeout: 600_000 },
  async () => {
    const names = Object.keys(STARTS);
    const half = Math.ceil(names.length / 2);

    const reports = await Promise.all([
      playStarts(names.slice(0, half)),
      playStarts(names.slice(half)),
    ]);

    const all = reports.flat();
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
    // The server got the call, but the daemon not its answer: each round has a call in doubt.
    expect(all.filter(({ doubts }) => doubts === 0)).toEqual([]);
    expect(all).toHaveLength(names.length);
  },
);
