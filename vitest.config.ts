import { defineConfig } from 'vitest/config';

/** Real processes mostly wait, but compete for the same cores: two files of them at a time. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          // After the others: they would disturb each other.
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: 30_000, interval: 50 } },
        },
      },
    ],
  },
});
