import pc from 'picocolors';

import type { RunDetails, RunTaskInfo } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { cutLine } from '../print/cut-line.js';
import { cutText } from '../print/fit-text.js';
import { formatMs, localTime } from '../print/format-time.js';
import { type Axis, createAxis, drawBar, type Span } from './axis.js';
import { countTasks, markOf, paintStatus } from './marks.js';
import { nestTasks, type RunRow } from './nest-tasks.js';

const MOST_NAME = 28;
const MOST_TOOL = 32;
const MOST_NEEDS = 24;
const LEAST_BAR = 8;
const MOST_BAR = 60;
const DEEPEST = 6;
const GAP = 2;

export interface ViewOptions {
  readonly columns: number;
  /** Longer views leave out tasks that are done; without it everything is shown. */
  readonly rows?: number;
}

/**
 * A run as rows: a task each, indented by layer and by whose code called it, with a bar from its start
 * to its end. A view that is redrawn leaves out what code did besides calling.
 */
export function describeRunView(run: RunDetails, options: ViewOptions): readonly string[] {
  const head = describeHead(run, options);
  const rows = nestTasks(run);
  const tasks = rows.flatMap((row) =>
    row.kind === 'task' ? [{ ...row.task, layer: row.level }] : [],
  );
  const axis = createAxis(tasks.flatMap((task) => spanOf(task) ?? []));
  const layout = layOut(tasks, options.columns);
  const isLive = options.rows !== undefined;
  const blocks = rows.flatMap((row): Block[] => {
    if (row.kind !== 'task') return isLive ? [] : [{ isDone: true, lines: [describeCode(row)] }];
    const task = { ...row.task, layer: row.level };
    const isDone = task.status === 'completed' || task.status === 'skipped';
    const notes = describeNotes(task, options.columns, isLive);
    return [{ isDone, lines: [describeRow(task, axis, layout), ...notes] }];
  });
  const leftOut =
    axis.leftOutMs > 0
      ? [pc.dim(`Bars leave out ${formatMs(axis.leftOutMs)} in which nothing ran.`)]
      : [];
  const room = (options.rows ?? Infinity) - head.length - leftOut.length;
  return [...head, ...fit(blocks, room), ...leftOut];
}

/** The terminal cuts lines of a view that is redrawn, so the head is cut where it ends. */
function describeHead(run: RunDetails, { columns, rows }: ViewOptions): readonly string[] {
  const { done, all } = countTasks(run);
  const { intent, startedAt, ms } = run;
  const line = `${visible(run.run)} ${paintStatus(run.status)}: ${done} of ${all} tasks, ${formatMs(ms)}, started ${localTime(startedAt)}`;
  return [
    rows === undefined ? line : cutText(line, columns),
    ...(intent === undefined ? [] : [pc.dim(cutLine(visible(intent), columns))]),
  ];
}

interface Block {
  readonly isDone: boolean;
  readonly lines: readonly string[];
}

/** What still happens is worth more than what is done; what does not fit is counted. */
function fit(blocks: readonly Block[], room: number): readonly string[] {
  const lines = (some: readonly Block[]) => some.flatMap((block) => block.lines);
  if (lines(blocks).length <= room) return lines(blocks);
  const open = blocks.filter(({ isDone }) => !isDone);
  const done = blocks.length - open.length;
  const shown = [...(done > 0 ? [pc.green(`✓ ${done} completed or skipped`)] : []), ...lines(open)];
  if (shown.length <= room) return shown;
  const kept = Math.max(0, room - 1);
  return [...shown.slice(0, kept), pc.dim(`… ${shown.length - kept} more lines`)];
}

interface Layout {
  readonly name: number;
  readonly tool: number;
  readonly bar: number;
  readonly time: number;
  readonly needs: number;
}

/** The bar gets what is left; where that is too little, the needs go first, then the tools. */
function layOut(tasks: readonly RunTaskInfo[], columns: number): Layout {
  const widest = (texts: readonly string[], most: number) =>
    Math.min(most, Math.max(0, ...texts.map(({ length }) => length)));
  const name = widest(tasks.map(nameOf), MOST_NAME);
  const tool = widest(tasks.map(toolOf), MOST_TOOL);
  const time = widest(tasks.map(timeOf), columns);
  const needs = widest(tasks.map(needsOf), MOST_NEEDS);
  const left = (...widths: readonly number[]) =>
    columns - widths.reduce((sum, width) => sum + (width > 0 ? width + GAP : 0), 0) - GAP;
  const full = left(name, tool, time, needs);
  if (full >= LEAST_BAR) return { name, tool, time, needs, bar: Math.min(MOST_BAR, full) };
  const some = left(name, tool, time);
  if (some >= LEAST_BAR) return { name, tool, time, needs: 0, bar: Math.min(MOST_BAR, some) };
  const bar = Math.min(MOST_BAR, Math.max(LEAST_BAR, left(name, time)));
  return { name, tool: 0, time, needs: 0, bar };
}

function describeRow(task: RunTaskInfo, axis: Axis, layout: Layout): string {
  const { mark, paint } = markOf(task);
  const span = spanOf(task);
  const block = task.status === 'running' ? '▒' : '█';
  const bar = span ? paint(drawBar(span, axis, layout.bar, block)) : ' '.repeat(layout.bar);
  // The mark stands where its layer begins.
  const name = fill(nameOf(task), layout.name).replace('*', () => paint(mark));
  const cells = [
    name,
    ...(layout.tool > 0 ? [fill(toolOf(task), layout.tool)] : []),
    bar,
    fill(timeOf(task), layout.time),
    ...(layout.needs > 0 && task.needs.length > 0
      ? [pc.dim(cutLine(needsOf(task), layout.needs))]
      : []),
  ];
  return cells.join(' '.repeat(GAP)).trimEnd();
}

const fill = (text: string, width: number): string => cutLine(text, width).padEnd(width);

function nameOf({ id, layer }: RunTaskInfo): string {
  return `${'  '.repeat(Math.min(layer, DEEPEST))}* ${visible(id)}`;
}

const toolOf = ({ tool }: RunTaskInfo): string => visible(tool);

function timeOf(task: RunTaskInfo): string {
  const { status, ms, attempts } = task;
  const took = ms === undefined || status === 'skipped' ? markOf(task).word : formatMs(ms);
  return attempts > 1 ? `${took}, ${attempts} attempts` : took;
}

function needsOf({ needs }: RunTaskInfo): string {
  return needs.length === 0 ? '' : `← ${needs.map(visible).join(', ')}`;
}

/** Why a task is as it is, below its row. A view that is redrawn has one line for it. */
function describeNotes(task: RunTaskInfo, columns: number, isLive: boolean): readonly string[] {
  const { status, error, because, progress, layer } = task;
  const text =
    status === 'running' ? progress : error ? `[${error.code}] ${error.message}` : because;
  if (text === undefined) return [];
  const indent = '  '.repeat(Math.min(layer, DEEPEST) + 1);
  const paint = error ? pc.red : pc.dim;
  const line = indent + visible(text);
  return [paint(isLive ? cutLine(line, columns) : line)];
}

/** What code did with its own data, or printed. */
function describeCode(row: Exclude<RunRow, { kind: 'task' }>): string {
  const indent = '  '.repeat(Math.min(row.level, DEEPEST));
  if (row.kind === 'line') return pc.dim(`${indent}│ ${visible(row.text)}`);
  const { operation, line, times } = row.operation;
  const often = times > 1 ? `, ${times} times` : '';
  return pc.dim(`${indent}~ ${visible(operation)} in line ${line}${often}`);
}

function spanOf({ startMs, ms, status }: RunTaskInfo): Span | undefined {
  if (startMs === undefined || ms === undefined || status === 'skipped') return undefined;
  return { startMs, endMs: startMs + ms };
}
