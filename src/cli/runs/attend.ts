import type { ControlParams, RunDetails } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { tableColumns } from '../print/columns.js';
import { fitLines, page } from '../print/page.js';
import { print, printJson } from '../print/print.js';
import { askDecision } from './ask-decision.js';
import {
  describeChoices,
  describeRunQuestion,
  type RunChoice,
  runCommandLine,
} from './describe-question.js';
import { describeRunResults } from './describe-results.js';
import { followRun, peekRun } from './follow.js';
import { exitCodeOf } from './marks.js';
import { runJson } from './run-json.js';
import { type RunProgress, showProgress } from './show-progress.js';

export interface AttendFlags extends DaemonFlags {
  /** False with `--no-wait`. */
  readonly wait: boolean;
}

/** What a command shows of a run that ended or waits. */
export interface RunResultView {
  readonly lines: (run: RunDetails) => readonly string[];
  readonly json: (run: RunDetails) => unknown;
}

interface AttendOptions {
  /** How many events were shown already. */
  readonly after?: number;
  readonly view?: RunResultView;
}

const RUN_VIEW: RunResultView = { lines: describeRunResults, json: runJson };

/**
 * Follows a run until it ends, or until it asks something this terminal cannot answer; then shows
 * its results and sets the exit code. Leaving does not end the run.
 */
export async function attendRun(
  run: string,
  flags: AttendFlags,
  { after = 0, view = RUN_VIEW }: AttendOptions = {},
): Promise<void> {
  const progress = showProgress(process.stderr, { isKept: false });
  let next = after;
  for (;;) {
    const followed = flags.wait
      ? await stay(run, flags, { after: next, progress })
      : { ...(await peekRun(run, flags)), next };
    if (!followed) return;
    const { run: state } = followed;
    ({ next } = followed);
    const choice = mayAsk(state, flags) ? await askDecision(state) : undefined;
    if (!choice) break;
    await decideUnlessDecided(run, choice, flags);
  }
  const { answer } = await askStarted(flags, 'run-show', { run, full: true });
  await conclude(answer, flags, view);
}

export async function decideRun(
  request: ControlParams<'run-decide'>,
  flags: DaemonFlags,
): Promise<void> {
  await askStarted(flags, 'run-decide', request);
}

/** Another client may have answered while the user was deciding. */
async function decideUnlessDecided(
  run: string,
  { decision, tasks }: RunChoice,
  flags: DaemonFlags,
): Promise<void> {
  try {
    await decideRun({ run, decision, ...(tasks.length > 0 && { tasks: [...tasks] }) }, flags);
  } catch (error) {
    const isLate =
      error instanceof PmlError && (error.code === 'RUN_DECIDED' || error.code === 'RUN_FINISHED');
    if (!isLate) throw error;
    process.stderr.write(`${visible(error.message)}\n`);
  }
}

/** Follows a run until it ends or waits. Reports a stopped daemon and returns undefined. */
export async function stay(
  run: string,
  flags: DaemonFlags,
  { after, progress }: { readonly after: number; readonly progress: RunProgress },
): Promise<{ run: RunDetails; next: number } | undefined> {
  const onInterrupt = () => {
    progress.end();
    leave(run, flags, 'goes on');
    process.exit();
  };
  process.once('SIGINT', onInterrupt);
  try {
    const { waitMs } = progress;
    const onAnswer = progress.show.bind(progress);
    const followed = await followRun(run, flags, { after, waitMs, onAnswer });
    progress.end();
    if (followed.kind === 'rested') return followed.answer;
    leave(run, flags, 'goes on when the daemon, which was stopped, runs again');
    return undefined;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

function leave(run: string, flags: DaemonFlags, how: string): void {
  process.exitCode = exitCodeOf({ status: 'running' });
  const lines = [
    `Run ${run} ${how}.`,
    `  ${runCommandLine(`watch ${run}`, flags)}`,
    `  ${runCommandLine(`continue ${run} abort`, flags)}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

function mayAsk({ status }: RunDetails, { json, wait }: AttendFlags): boolean {
  const isPaused = status === 'needs_approval' || status === 'needs_decision';
  return isPaused && wait && !json && process.stdin.isTTY && process.stdout.isTTY;
}

async function conclude(run: RunDetails, flags: AttendFlags, view: RunResultView): Promise<void> {
  process.exitCode = exitCodeOf(run);
  if (flags.json) return printJson(view.json(run));
  await page(view.lines(run));
  if (run.status === 'running') return leave(run.run, flags, 'goes on');
  printQuestion(run, flags);
}

/** What a run asks and the commands that answer it. */
export function printQuestion(run: RunDetails, flags: DaemonFlags): void {
  const choices = describeChoices(run, flags);
  if (choices.length === 0) return;
  for (const line of fitLines(['', ...describeRunQuestion(run), ''], tableColumns())) print(line);
  // Commands to copy must not be wrapped.
  for (const line of choices) print(line);
}
