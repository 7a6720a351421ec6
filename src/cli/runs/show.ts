import { Command } from 'commander';
import pc from 'picocolors';

import type { RunDetails } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { screenColumns } from '../print/columns.js';
import { page } from '../print/page.js';
import { heading, printJson } from '../print/print.js';
import { printQuestion } from './attend.js';
import { describeRunHistory } from './describe-history.js';
import { describeTaskResult, isInner, valueLines } from './describe-results.js';
import { describeRunView } from './describe-view.js';
import { findRun } from './find.js';
import { exitCodeOf, EXIT_CODES } from './marks.js';
import { runJson } from './run-json.js';

export function showCommand(): Command {
  return new Command('show')
    .argument('<run>', 'its id, the beginning of it, or latest; else the name of a capability')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (wanted: string, flags: DaemonFlags) => {
      const found = await findRun(wanted, flags).catch(namesNoRun);
      if (typeof found === 'string') return showRun(found, flags);
      const { showCapability } = await import('../capabilities/capabilities.js');
      await showCapability(wanted, flags).catch((error: unknown) => {
        // Neither exists: the user most likely means a run.
        throw error instanceof PmlError && error.code === 'TOOL_UNKNOWN' ? found : error;
      });
    });
}

/** Returns the error if no run matches: the name may be a capability. */
function namesNoRun(error: unknown): PmlError {
  if (error instanceof PmlError && error.code === 'RUN_UNKNOWN') return error;
  throw error;
}

async function showRun(run: string, flags: DaemonFlags): Promise<void> {
  const { json: full = false } = flags;
  const { answer: details } = await askStarted(flags, 'run-show', { run, full });
  process.exitCode = exitCodeOf(details);
  if (flags.json) return printJson(runJson(details));
  await page(describeWhole(details, screenColumns()));
  printQuestion(details, flags);
}

export function describeWhole(run: RunDetails, columns: number): readonly string[] {
  const results = run.tasks.filter(({ status }) => status === 'completed');
  const history = describeRunHistory(run);
  return [
    ...describeRunView(run, { columns }),
    ...(run.error ? [pc.red(`[${run.error.code}] ${visible(run.error.message)}`)] : []),
    ...(history.length > 0 ? ['', ...history] : []),
    ...describeFilled(run),
    ...(results.length > 0 ? ['', heading('results')] : []),
    ...results.flatMap((task) => describeTaskResult(task, isInner(task, run))),
    ...(run.returned === undefined ? [] : ['', heading('returned'), ...valueLines(run.returned)]),
  ];
}

/** The arguments that PML filled in, each with the reason. */
function describeFilled({ tasks }: RunDetails): readonly string[] {
  const lines = tasks.flatMap(({ filled = [] }) =>
    filled.map(({ text, because }) => `  ${visible(text)}: ${visible(because)}`),
  );
  return lines.length > 0 ? ['', heading('filled in by PML'), ...lines] : [];
}
