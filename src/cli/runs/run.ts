import { Command, Option } from 'commander';

import type { ControlParams, PlanAnswer, RunStarted } from '../../control/index.js';
import { type ApprovalMode, PmlError } from '../../core/index.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print, printJson } from '../print/print.js';
import { attendRun, type AttendFlags } from './attend.js';
import { describePlan } from './describe-plan.js';
import { EXIT_CODES } from './marks.js';
import { type PlanFile, readPlan } from './read-plan.js';

interface RunFlags extends AttendFlags {
  readonly intent?: string;
  readonly approve?: ApprovalMode;
  readonly dryRun?: boolean;
}

export function runCommand(): Command {
  return new Command('run')
    .description('Run a workflow from a file and stay with it until it ends or asks something')
    .argument(
      '<plan>',
      'JSON file: tasks, or {tasks, intent, approve, context, mode}; - reads stdin',
    )
    .option('--intent <text>', 'what it is for; remembered, and shown by `pml runs`')
    .addOption(
      new Option('--approve <when>', 'before what it stops and asks').choices([
        'risky',
        'per_layer',
        'never',
      ]),
    )
    .option('--dry-run', 'check and complete the plan, show it, call nothing')
    .option('--no-wait', 'start it and leave')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (file: string, flags: RunFlags) => {
      const plan = await readPlan(file);
      const { intent, approve, dryRun } = flags;
      const started = await start(plan, flags, {
        ...plan.args,
        ...(intent !== undefined && { intent }),
        ...(approve !== undefined && { userApprove: approve }),
        ...(dryRun === true && { mode: 'dry_run' }),
      });
      if ('run' in started) return attendRun(started.run, flags);
      showPlan(started.plan, flags);
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

function showPlan(plan: PlanAnswer, { json }: DaemonFlags): void {
  process.exitCode = plan.holes.length > 0 ? 1 : 0;
  if (json) return printJson(plan);
  for (const line of describePlan(plan)) print(line);
}
