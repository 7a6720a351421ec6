import pc from 'picocolors';

import type { RunDetails, RunTaskInfo } from '../../control/index.js';
import type { JsonValue } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { formatMs } from '../print/format-time.js';
import { countTasks, markOf, paintStatus } from './marks.js';

const INDENT = '    ';

/**
 * What every task gave, or why it gave nothing; then how the run as a whole stands. A call that code
 * made is one line: its result went into what the code gave.
 */
export function describeRunResults(run: RunDetails): readonly string[] {
  const { done, all } = countTasks(run);
  return [
    ...run.tasks.flatMap((task) => describeTaskResult(task, isInner(task, run))),
    ...(run.script?.logs ?? []).map((line) => pc.dim(`│ ${visible(line)}`)),
    ...(run.returned === undefined ? [] : [...valueLines(run.returned)]),
    ...(run.error ? [pc.red(`[${run.error.code}] ${visible(run.error.message)}`)] : []),
    `${visible(run.run)} ${paintStatus(run.status)}: ${done} of ${all} tasks, ${formatMs(run.ms)}`,
  ];
}

/** Whether code made the call, so that its result is part of what the code gave. */
export function isInner({ parent }: RunTaskInfo, { returned }: RunDetails): boolean {
  return parent !== undefined || returned !== undefined;
}

export function describeTaskResult(task: RunTaskInfo, isShort = false): readonly string[] {
  const { mark, paint, word } = markOf(task);
  const took = task.ms === undefined ? word : formatMs(task.ms);
  const tries = task.attempts > 1 ? `, ${task.attempts} attempts` : '';
  return [
    `${paint(mark)} ${visible(task.id)} ${pc.dim(`${visible(task.tool)}, ${took}${tries}`)}`,
    ...(isShort && task.status === 'completed' ? [] : outcomeOf(task)),
  ];
}

function outcomeOf({ status, result, error, because }: RunTaskInfo): readonly string[] {
  if (status === 'completed') return indented(result ?? '');
  if (error) return indented(`[${error.code}] ${error.message}`).map((line) => pc.red(line));
  return because === undefined ? [] : indented(because);
}

/** A value as a reader wants it: a text as it is, anything else as JSON. */
export function valueLines(value: JsonValue): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.split(/\r?\n/).map(visible);
}

/** Line by line: a line break is the one control character a reader wants obeyed. */
function indented(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => INDENT + visible(line));
}
