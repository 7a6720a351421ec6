import { Command, Option } from 'commander';

import type { ControlParams, PlanAnswer, RunStarted } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { parseArgs } from '../capabilities/args.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { attendRun } from './attend.js';
import { describePlan } from './describe-plan.js';
import { EXIT_CODES } from './marks.js';
import { type PlanFile, readPlan } from './read-plan.js';
import { isScript, runScript, type ScriptFlags } from './run-script.js';

export function runCommand(): Command {
  return new Command('run')
    .argument(
      '<plan>',
      'JSON file: tasks, or {tasks, intent, approve, context, mode}; or a script: .ts, .js; - reads a plan from stdin',
    )
    .option('--intent <text>', 'what it is for; remembered, and shown by `pml runs`')
    .addOption(
      new Option('--approve <when>', 'before what it stops and asks').choices([
        'risky',
        'per_layer',
        'never',
      ]),
    )
    .option('--args <json>', 'what a script gets as `args`, as a JSON object', parseArgs)
    .option('--dry-run', 'check and complete the plan, show it, call nothing')
    .option('--no-wait', 'start it and leave')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, flags: ScriptFlags) => {
      if (isScript(file)) return runScript(file, flags);
      if (flags.args) {
        throw new PmlError('BAD_REQUEST', `--args is for scripts (.ts, .js); ${file} is a plan`);
      }
      const plan = await readPlan(file);
      const { intent, approve, dryRun } = flags;
      const started = await start(plan, flags, {
        ...plan.args,
        ...(intent !== undefined && { intent }),
        ...(approve !== undefined && { userApprove: approve }),
        ...(dryRun === true && { mode: 'dry_run' }),
      });
      if ('run' in started) return attendRun(started.run, flags);
      await showPlan(started.plan, flags);
    });
}

async function start(
  plan: PlanFile,
  flags: DaemonFlags,
  args: ControlParams<'run-start'>,
): Promise<RunStarted> {
  try {
    return (await askStarted(flags, 'run-start', args)).answer;
  } catch (error) {
    throw error instanceof PmlError ? plan.explain(error) : error;
  }
}

async function showPlan(plan: PlanAnswer, { json }: DaemonFlags): Promise<void> {
  process.exitCode = plan.holes.length > 0 ? 1 : 0;
  if (json) return printJson(plan);
  await page(describePlan(plan));
}
