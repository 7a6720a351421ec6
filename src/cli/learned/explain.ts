import type { Command } from 'commander';

import type { ControlResult } from '../../control/index.js';
import type { DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { findRun } from '../runs/find.js';
import { askPatiently } from './ask-patiently.js';
import { describeExecution } from './explain-describe-run.js';
import { describePlanExplanation } from './explain-describe.js';

interface ExplainFlags extends DaemonFlags {
  readonly verbose?: boolean;
}

/** Everything else is an intent. */
const RUN = /^(?:latest|run_\S*)$/;

export function explainCommand(): Command {
  return daemonCommand('explain')
    .argument('<run-or-intent...>', 'latest, the id of a run or its beginning; or what is wanted')
    .option('--verbose', 'also the scores and weights behind it')
    .addHelpText('after', '\nExit code 1 if no tool fits an intent.')
    .action(async (words: readonly string[], flags: ExplainFlags) => {
      const text = words.join(' ').trim();
      const what = RUN.test(text) ? await findRun(text, flags) : text;
      const answer = await askPatiently(flags, 'explain', { what });
      if (flags.json) printJson(answer);
      else await page(linesOf(answer, flags.verbose === true));
      process.exitCode = 'plan' in answer && answer.plan.tasks.length === 0 ? 1 : 0;
    });
}

function linesOf(answer: ControlResult<'explain'>, isVerbose: boolean): readonly string[] {
  return 'plan' in answer
    ? describePlanExplanation(answer.plan, isVerbose)
    : describeExecution(answer.execution, isVerbose);
}
