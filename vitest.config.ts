import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { LongestFirst } from './test/helpers/longest-first.js';

/** By default one core is left free, which on two of them would leave half of the machine idle. */
const UNIT_FILES = Math.max(2, availableParallelism() - 1);
/** Real processes wait for each other a good part of their time, but compete for the same cores. */
const PROCESS_FILES = 5;
/** As a daemon is started: optimizing the database takes longer than any test uses it. */
const DATABASE_FLAGS = ['--liftoff-only'];
/** Modules are read once per worker, not again for each of hundreds of files. */
const READ_ONCE = { isolate: false };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 30_000,
          maxWorkers: UNIT_FILES,
          ...READ_ONCE,
          expect: { poll: { timeout: 10_000 } },
          execArgv: DATABASE_FLAGS,
        },
      },
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          globalSetup: ['test/helpers/prepared-store.ts'],
          // Ends what hangs; a loaded machine takes several times as long as a quiet one.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: PROCESS_FILES,
          ...READ_ONCE,
          // After the others: they would disturb each other.
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: 30_000, interval: 50 } },
        },
      },
    ],
  },
});
