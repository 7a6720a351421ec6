import type { ExecutionTrace } from '../../core/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { Improvement, LearningMetrics, RunQuality } from '../contract/learning.js';

interface RememberingDaemon {
  readonly workflows: {
    readonly tools: { readonly discovery: Pick<ToolDirectory['discovery'], 'settled' | 'traces'> };
  };
}

/** Fewer runs differ by a tenth by chance alone too often. */
const WINDOW = 30;
const TENTH = 0.1;

/** Whether runs succeed more often, and in fewer calls, than at the beginning. */
export async function showLearning({ workflows }: RememberingDaemon): Promise<LearningMetrics> {
  const { discovery } = workflows.tools;
  await discovery.settled();
  return learningMetrics(discovery.traces);
}

/** What is kept of a run here. */
interface RunOutcome {
  readonly day: string;
  readonly ok: boolean;
  readonly length: number;
}

export function learningMetrics(traces: Iterable<ExecutionTrace>): LearningMetrics {
  let executions = 0;
  const runs: RunOutcome[] = [];
  for (const { intent, calls, ok, at } of traces) {
    executions += 1;
    const length = calls.filter(({ parent }) => parent === undefined).length;
    if (intent === '' && length < 2) continue;
    runs.push({ day: at.toISOString().slice(0, 10), ok, length });
  }
  const windows = windowsOf(runs).map(qualityOfRuns);
  const [first, ...later] = windows;
  return {
    executions,
    runs: runs.length,
    window: WINDOW,
    all: qualityOfRuns(runs),
    days: daysOf(runs),
    windows,
    ...(first && later.length > 0 && { success: successOf(first, later) }),
    ...(first?.pathLength !== undefined && pathLengthOf(first.pathLength, later)),
  };
}

/** Full windows, the oldest first. */
function windowsOf(runs: readonly RunOutcome[]): readonly (readonly RunOutcome[])[] {
  return Array.from({ length: Math.floor(runs.length / WINDOW) }, (_, at) =>
    runs.slice(at * WINDOW, (at + 1) * WINDOW),
  );
}

function qualityOfRuns(runs: readonly RunOutcome[]): RunQuality {
  const succeeded = runs.filter(({ ok }) => ok);
  const calls = succeeded.reduce((sum, { length }) => sum + length, 0);
  return {
    runs: runs.length,
    successRate: succeeded.length / Math.max(1, runs.length),
    ...(succeeded.length > 0 && { pathLength: calls / succeeded.length }),
  };
}

function daysOf(runs: readonly RunOutcome[]): LearningMetrics['days'] {
  const byDay = new Map<string, RunOutcome[]>();
  for (const run of runs) {
    const own = byDay.get(run.day);
    if (own) own.push(run);
    else byDay.set(run.day, [run]);
  }
  return [...byDay]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, own]) => ({ day, ...qualityOfRuns(own) }));
}

/** Better by a tenth: ten points of success more. */
function successOf({ successRate: first }: RunQuality, later: readonly RunQuality[]): Improvement {
  const rates = later.map(({ successRate }) => successRate);
  return improvement(first, rates, {
    isBetter: (rate) => rate >= first + TENTH,
    hasRoom: first <= 1 - TENTH,
  });
}

/** Better by a tenth: a tenth of the calls less. One call is the least that a run makes. */
function pathLengthOf(first: number, later: readonly RunQuality[]) {
  const lengths = later.flatMap(({ pathLength = NaN }) => pathLength);
  if (lengths.length === 0) return {};
  const aim = first * (1 - TENTH);
  return {
    pathLength: improvement(first, lengths, {
      isBetter: (length) => length <= aim,
      hasRoom: aim >= 1,
    }),
  };
}

interface Judging {
  readonly isBetter: (value: number) => boolean;
  readonly hasRoom: boolean;
}

function improvement(
  first: number,
  later: readonly number[],
  { isBetter, hasRoom }: Judging,
): Improvement {
  const at = later.findIndex(isBetter);
  return {
    first,
    newest: later.at(-1)!,
    // The window it was seen in counts: its runs were needed to see it.
    ...(at >= 0 && { runsUntilBetter: (at + 2) * WINDOW }),
    hasRoom,
  };
}
