/** The engine with its journal, killed at one call of the system after another. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import {
  canTrace,
  countCalls,
  eachOf,
  memoryFolder,
  places,
  tracing,
} from '../helpers/trace-calls.js';

const ENGINE = fileURLToPath(new URL('../fixtures/run-engine.mjs', import.meta.url));
/** `write` is also what effects are made with, and what threads wake each other with. */
const CALLS = ['pwrite64', 'fdatasync', 'fsync', 'write', 'rename', 'ftruncate'];
const STEP = 2;
const AT_ONCE = 2;

const ONCE = ['a', 'b', 'd', 'e'];
const AT_LEAST_ONCE = ['c', 'f'];

test.skipIf(!canTrace)(
  `killed at every kind of write, also while it recovers, the engine does all of a run once${
    canTrace ? '' : ' (skipped: no strace)'
  }`,
  { timeout: 300_000 },
  async () => {
    const counts = await countCalls(CALLS, runEngine);
    const points = [...counts].flatMap(([call, count]) =>
      places(count, STEP).map((when) => ({ call, when })),
    );
    const faults: string[] = [];
    let killed = 0;
    let killedAgain = 0;

    await eachOf(points, AT_ONCE, async ({ call, when }) => {
      await using folder = await memoryFolder();
      const strike = (at: number) => tracing(CALLS, `inject=${call}:signal=KILL:when=${at}`);
      const first = await runEngine(strike(when), folder.path);
      if (!first.includes('end')) killed++;
      // The second time it is going on with what the first one left.
      const second = await runEngine(strike(1 + (when % 7)), folder.path);
      if (!second.includes('end')) killedAgain++;
      const last = await runEngine([], folder.path);
      const found = last === 'end completed\n' ? effectFaults(folder.path) : [`said ${last}`];
      faults.push(...found.map((fault) => `${call} ${when}: ${fault}`));
    });

    expect(faults).toEqual([]);
    expect(killed, 'nothing was killed: the test is blind').toBeGreaterThan(20);
    expect(killedAgain, 'recovery was never killed').toBeGreaterThan(10);
  },
);

/** What it said until it ended, however it ended. */
function runEngine(under: readonly string[], folder: string): Promise<string> {
  const own = [process.execPath, ENGINE, join(folder, 'journal'), join(folder, 'effects')];
  const [command = '', ...args] = [...under, ...own];
  // One thread for files, so that their calls come in the same order in every run.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  return new Promise((resolve) => {
    execFile(command, args, { env }, (_error, stdout) => resolve(stdout));
  });
}

function effectFaults(folder: string): readonly string[] {
  const path = join(folder, 'effects');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const timesOf = (key: string) => lines.filter((line) => line === key).length;
  return [
    ...ONCE.filter((key) => timesOf(key) !== 1),
    ...AT_LEAST_ONCE.filter((key) => timesOf(key) === 0),
  ].map((key) => `${key} happened ${timesOf(key)} times`);
}
