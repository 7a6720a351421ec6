import pc from 'picocolors';

import type { RunInfo, RunTaskInfo } from '../../control/index.js';

type Paint = (text: string) => string;

const TASKS: Readonly<Record<RunTaskInfo['status'], { mark: string; word: string; paint: Paint }>> =
  {
    waiting: { mark: '·', word: 'waiting', paint: pc.dim },
    needs_approval: { mark: '?', word: 'needs approval', paint: pc.yellow },
    running: { mark: '▶', word: 'running', paint: pc.cyan },
    in_doubt: { mark: '!', word: 'in doubt', paint: pc.yellow },
    completed: { mark: '✓', word: 'completed', paint: pc.green },
    failed: { mark: '✗', word: 'failed', paint: pc.red },
    skipped: { mark: '–', word: 'skipped', paint: pc.dim },
  };

/** How the state of a task is shown. */
export function markOf({ status }: Pick<RunTaskInfo, 'status'>) {
  return TASKS[status];
}

const RUNS: Readonly<Record<RunInfo['status'], { paint: Paint; exitCode: number }>> = {
  completed: { paint: pc.green, exitCode: 0 },
  failed: { paint: pc.red, exitCode: 1 },
  rejected: { paint: pc.yellow, exitCode: 5 },
  aborted: { paint: pc.red, exitCode: 1 },
  needs_approval: { paint: pc.yellow, exitCode: 3 },
  needs_decision: { paint: pc.yellow, exitCode: 3 },
  running: { paint: pc.cyan, exitCode: 4 },
  damaged: { paint: pc.red, exitCode: 1 },
};

export function paintStatus(status: RunInfo['status']): string {
  return RUNS[status].paint(status.replace('_', ' '));
}

/** The exit code of a command about a run, so that a script knows the state of the run. */
export function exitCodeOf({ status }: Pick<RunInfo, 'status'>): number {
  return RUNS[status].exitCode;
}

export const EXIT_CODES = `
Exit codes:
  0 the run is completed
  1 it failed, was aborted or is damaged, or the command failed
  2 wrong usage
  3 it waits for an approval or a decision
  4 it is still running
  5 a task of it was rejected`;

/** Progress of a run: completed tasks of all tasks. */
export function countTasks({ counts }: Pick<RunInfo, 'counts'>): { done: number; all: number } {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return { done: counts.completed ?? 0, all };
}
