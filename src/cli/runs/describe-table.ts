import type { RunInfo } from '../../control/index.js';
import { visible } from '../../core/index.js';
import { cutLine } from '../print/cut-line.js';
import { formatMs, localTime } from '../print/format-time.js';
import { heading, table } from '../print/print.js';
import { countTasks, paintStatus } from './marks.js';

const HEADINGS = ['run', 'status', 'tasks', 'started', 'took'];
const STATUS_COLUMN = 1;
const LEAST_INTENT = 20;

/** Runs as a table, one row each; the intent gets what is left of the width. */
export function describeRunTable(runs: readonly RunInfo[], columns: number): readonly string[] {
  const plain = [HEADINGS, ...runs.map(rowOf)];
  const used = HEADINGS.map((_, column) =>
    Math.max(...plain.map((row) => row[column]?.length ?? 0)),
  ).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(LEAST_INTENT, columns - used);
  const rows = runs.map((run) => [
    ...rowOf(run).with(STATUS_COLUMN, paintStatus(run.status)),
    cutLine(visible(run.intent ?? ''), room),
  ]);
  return table([[...HEADINGS, 'intent'].map(heading), ...rows]).split('\n');
}

function rowOf(run: RunInfo): string[] {
  const { done, all } = countTasks(run);
  const { status, startedAt, ms } = run;
  return [visible(run.run), status, `${done}/${all}`, localTime(startedAt), formatMs(ms)];
}
