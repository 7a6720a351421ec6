import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

/** By default one core is left free, which on two of them would leave half of the machine idle. */
const UNIT_FILES = Math.max(2, availableParallelism() - 1);
/** Real processes mostly wait, but compete for the same cores. */
const PROCESS_FILES = 3;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 30_000,
          maxWorkers: UNIT_FILES,
        },
      },
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          globalSetup: ['test/helpers/prepared-store.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: PROCESS_FILES,
          // After the others: they would disturb each other.
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: 30_000, interval: 50 } },
        },
      },
    ],
  },
});
