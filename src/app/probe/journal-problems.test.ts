import { expect, test } from 'vitest';

import { MemoryRunLog } from '../../../test/helpers/memory-run-log.js';
import { startOf } from '../../../test/helpers/run-parts.js';
import { type ExecutionTrace, runId, silentLogger } from '../../core/index.js';
import { findJournalProblems } from './journal-problems.js';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const DAY_MS = 86_400_000;

const trace = (daysAgo: number, run?: string): ExecutionTrace => ({
  id: `${daysAgo}`,
  intent: '',
  at: new Date(NOW - daysAgo * DAY_MS),
  source: 'live',
  ok: true,
  calls: [],
  bindings: [],
  ...(run !== undefined && { run: runId(run) }),
});

function problemsWith(log: MemoryRunLog, traces: readonly ExecutionTrace[]) {
  return findJournalProblems({
    log: Promise.resolve(log),
    store: Promise.resolve({ experience: { load: async () => traces } }),
    keepDays: 30,
    now: () => NOW,
    logger: silentLogger,
  });
}

test('an empty journal beside a store that remembers a run of late is a problem', async () => {
  const problems = await problemsWith(new MemoryRunLog(), [trace(5, 'run_a'), trace(1)]);

  expect(problems).toEqual([expect.stringContaining('the store remembers run_a')]);
});

test('an empty journal is in order where no run would still be in it', async () => {
  expect(await problemsWith(new MemoryRunLog(), [])).toEqual([]);
  expect(await problemsWith(new MemoryRunLog(), [trace(1)]), 'direct calls').toEqual([]);
  expect(await problemsWith(new MemoryRunLog(), [trace(31, 'run_a')]), 'forgotten').toEqual([]);
});

test('a journal that has runs is in order, whatever else the store remembers', async () => {
  const log = new MemoryRunLog();
  await log.append(runId('r1'), [startOf([])]);

  expect(await problemsWith(log, [trace(1, 'run_a')])).toEqual([]);
});

test('a journal that cannot be opened is a problem', async () => {
  const log = Promise.reject(new Error('EACCES'));

  const problems = await findJournalProblems({
    log,
    store: undefined,
    keepDays: 30,
    now: () => NOW,
    logger: silentLogger,
  });

  expect(problems).toEqual(['EACCES']);
});

test('runs that began while the store was being opened are no forgotten runs', async () => {
  let now = NOW;
  const problems = await findJournalProblems({
    log: Promise.resolve(new MemoryRunLog()),
    store: Promise.resolve({
      experience: {
        load: async () => {
          now += 20_000;
          return [{ ...trace(0, 'run_new'), at: new Date(NOW + 10_000) }];
        },
      },
    }),
    keepDays: 30,
    now: () => now,
    logger: silentLogger,
  });

  expect(problems).toEqual([]);
});
