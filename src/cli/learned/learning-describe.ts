import type { LearningMetrics } from '../../control/index.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

/** Older days say little about the present. */
const SHOWN_DAYS = 14;

/** Whether runs improve, as text for a terminal. */
export function describeLearning(metrics: LearningMetrics): readonly string[] {
  const { executions, runs, all, days, window, success, pathLength } = metrics;
  if (runs === 0) {
    return [
      `Nothing to measure yet: none of ${count(executions)} executions is a run.`,
      'A run is what an agent asked for in words, or what made several calls.',
    ];
  }
  return [
    `${count(runs)} runs: ${percent(all.successRate)} completed, in ${calls(all.pathLength)} on average.`,
    ...(success && pathLength
      ? [
          improved('Success', success, { shown: percent, window }),
          improved('Path length', pathLength, { shown: calls, window }),
        ]
      : [
          `Too few runs to say whether they become better: ${count(runs)} of ${count(2 * window)}.`,
        ]),
    '',
    ...table([
      ['day', 'runs', 'completed', 'calls of a run'].map(heading),
      ...days
        .slice(-SHOWN_DAYS)
        .map((day) => [
          day.day,
          count(day.runs),
          percent(day.successRate),
          day.pathLength === undefined ? '' : day.pathLength.toFixed(1),
        ]),
    ]).split('\n'),
  ];
}

function improved(
  what: string,
  { first, newest, runsUntilBetter, hasRoom }: NonNullable<LearningMetrics['success']>,
  { shown, window }: { readonly shown: (value: number) => string; readonly window: number },
): string {
  const change = `${what}: ${shown(first)} in the first ${window} runs, ${shown(newest)} in the newest`;
  if (runsUntilBetter !== undefined) {
    return `${change}. It was better by a tenth after ${count(runsUntilBetter)} runs.`;
  }
  return hasRoom
    ? `${change}. It was never better by a tenth.`
    : `${change}. There was no tenth left to gain.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function calls(length = 0): string {
  return `${length.toFixed(1)} calls`;
}
