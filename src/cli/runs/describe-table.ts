import pc from 'picocolors';

import type { RunInfo } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { cutLine } from '../print/cut-line.js';
import { formatMs, localTime } from '../print/format-time.js';
import { heading } from '../print/print.js';
import { table } from '../print/table.js';
import { countTasks, paintStatus } from './marks.js';

const HEADINGS = ['run', 'status', 'tasks', 'started', 'took', 'what'];
/** Narrower than this, the time of day is left out: what a run is for says more. */
const ROOMY_COLUMNS = 100;
const STARTED_COLUMN = 3;
const MOST_TEXT = 200;

/** Runs as a table, one row each: what the agent wanted, else the first line of code or the tools. */
export function describeRunTable(runs: readonly RunInfo[], columns: number): readonly string[] {
  const rows = [HEADINGS.map(heading), ...runs.map(rowOf)];
  const shown =
    columns >= ROOMY_COLUMNS ? rows : rows.map((row) => row.toSpliced(STARTED_COLUMN, 1));
  return table(shown, columns).split('\n');
}

function rowOf(run: RunInfo): string[] {
  const { done, all } = countTasks(run);
  const { status, startedAt, ms, intent, about = '' } = run;
  return [
    visible(run.run),
    paintStatus(status),
    `${done}/${all}`,
    localTime(startedAt),
    formatMs(ms),
    intent === undefined
      ? pc.dim(cutLine(visible(about), MOST_TEXT))
      : cutLine(visible(intent), MOST_TEXT),
  ];
}
