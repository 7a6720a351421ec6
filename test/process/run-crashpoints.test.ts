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
/** The journal makes these calls: how often depends on the run alone, not on the version of Node. */
const OWN_CALLS = ['pwrite64', 'fdatasync', 'fsync', 'rename', 'ftruncate'];
/**
 * Tools write their effects with `write`, but threads of Node wake each other with it too, from a few
 * dozen to hundreds of times. No run repeats these calls exactly, so a kill at one may never come.
 */
const CALLS = [...OWN_CALLS, 'write'];
const stepOf = (call: string) => (call === 'write' ? 2 : 1);
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
      places(count, stepOf(call)).map((when) => ({ call, when })),
    );
    const faults: string[] = [];
    const killed: string[] = [];
    const killedAgain: string[] = [];

    await eachOf(points, AT_ONCE, async ({ call, when }) => {
      await using folder = await memoryFolder();
      const strike = (at: number) => tracing(CALLS, `inject=${call}:signal=KILL:when=${at}`);
      const first = await runEngine(strike(when), folder.path);
      if (!first.includes('end')) killed.push(call);
      // The second time it is going on with what the first one left.
      const second = await runEngine(strike(1 + (when % 7)), folder.path);
      if (!second.includes('end')) killedAgain.push(call);
      const last = await runEngine([], folder.path);
      const found = last === 'end completed\n' ? effectFaults(folder.path) : [`said ${last}`];
      faults.push(...found.map((fault) => `${call} ${when}: ${fault}`));
    });

    expect(faults).toEqual([]);
    // Every kind of call the engine makes must have killed it, and most places in its journal.
    const kinds = [...counts.keys()].toSorted();
    const own = (calls: readonly string[]) => calls.filter((call) => OWN_CALLS.includes(call));
    expect(kinds).toEqual(expect.arrayContaining(['fdatasync', 'pwrite64', 'write']));
    expect([...new Set(killed)].toSorted(), 'a kind of call killed no run').toEqual(kinds);
    const ownPlaces = own(points.map(({ call }) => call)).length;
    expect(own(killed).length, 'most runs went on').toBeGreaterThan(ownPlaces / 2);
    expect(killedAgain, 'no recovery was killed').toEqual(
      expect.arrayContaining(['fdatasync', 'pwrite64', 'write']),
    );
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
