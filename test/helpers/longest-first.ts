import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, longest first. One of them begun last would be waited for by idle cores; a
 * fresh checkout knows no times, and how large a file is tells nothing of them.
 */
const LONG = [
  'process/newcomer',
  'process/code-kills',
  'process/run-kills',
  'process/runs-cli',
  'process/kills',
  'process/discovery',
  'process/run-faults',
  'process/run-crashpoints',
  'process/daemon-death',
  'process/capabilities',
  'sandbox/sandbox',
  'store/kill-writer',
  'store/embedded-store',
  'store/repair-store',
  'migrations/0002-discovery',
  'test/bench-answer',
  'store/kill-adder',
  'planner/intent-literals',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? LONG.length : place;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
