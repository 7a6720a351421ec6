import { Command } from 'commander';
import pc from 'picocolors';

import type { RunDetails } from '../app/run-status.js';
import { visible } from '../core/index.js';
import { printQuestion } from './attend-run.js';
import { describeRunHistory } from './describe-run-history.js';
import { describeTaskResult } from './describe-run-results.js';
import { describeRunView } from './describe-run-view.js';
import { findRun } from './find-run.js';
import { heading, print, printJson } from './print.js';
import { exitCodeOf, EXIT_CODES } from './run-marks.js';
import { askStarted, type DaemonFlags } from './with-daemon.js';

/** Where the output is no terminal. */
const DEFAULT_COLUMNS = 120;

export function showCommand(): Command {
  return new Command('show')
    .description('Show a run: tasks, times, results, decisions, and what it asks')
    .argument('<run>', 'its id, the beginning of it, or latest')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (wanted: string, flags: DaemonFlags) => {
      const run = await findRun(wanted, flags);
      const { answer } = await askStarted(flags, 'run-show', {
        run,
        full: flags.json === true,
      });
      const details = answer as unknown as RunDetails;
      process.exitCode = exitCodeOf(details);
      if (flags.json) return printJson(details);
      const columns = process.stdout.columns ?? DEFAULT_COLUMNS;
      for (const line of describeWhole(details, columns)) print(line);
      printQuestion(details, flags);
    });
}

function describeWhole(run: RunDetails, columns: number): readonly string[] {
  const results = run.tasks.filter(({ status }) => status === 'succeeded');
  const history = describeRunHistory(run);
  return [
    ...describeRunView(run, { columns }),
    ...(run.error ? [pc.red(`[${run.error.code}] ${visible(run.error.message)}`)] : []),
    ...(history.length > 0 ? ['', ...history] : []),
    ...(results.length > 0 ? ['', heading('results')] : []),
    ...results.flatMap(describeTaskResult),
  ];
}
