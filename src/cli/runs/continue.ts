import { Argument, Command, InvalidArgumentError, Option } from 'commander';

import type { ControlParams } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import type { JsonObject, JsonValue } from '../../core/index.js';
import { attendRun, type AttendFlags, decideRun } from './attend.js';
import { findRun } from './find.js';
import { peekRun } from './follow.js';
import { EXIT_CODES } from './marks.js';
import { type PlanFile, readPlan } from './read-plan.js';

const DECISIONS = ['approve', 'reject', 'retry', 'skip', 'replan', 'inject', 'abort', 'wait'];

interface ContinueFlags extends AttendFlags {
  readonly task?: readonly string[];
  readonly allCalls?: boolean;
  readonly tasks?: string;
  readonly requirement?: string;
  readonly message?: string;
  readonly because?: string;
  readonly result?: JsonValue;
}

export function continueCommand(): Command {
  return new Command('continue')
    .argument('<run>', 'its id, the beginning of it, or latest')
    .addArgument(new Argument('<decision>', 'what to do').choices(DECISIONS))
    .option('--task <id...>', 'approve, reject, retry, skip: only these tasks')
    .option('--all-calls', 'approve: also every further call of these tools in this run')
    .option('--tasks <file>', 'inject, replan: JSON file with the tasks to add; - reads stdin')
    .option('--requirement <text>', 'replan: what the run should do as well')
    .option('--message <text>', 'what you say about it; for reject and abort also the reason')
    .addOption(new Option('--because <text>', 'reject, abort: --message').hideHelp())
    .option('--result <json>', 'skip: what the tasks gave, for those that need them', parseJson)
    .option('--no-wait', 'decide and leave')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (wanted: string, decision: string, flags: ContinueFlags, command: Command) => {
      const misused = findMisuse(decision, flags);
      if (misused !== undefined) command.error(`error: ${misused}`);
      const plan = flags.tasks === undefined ? undefined : await readPlan(flags.tasks);
      const run = await findRun(wanted, flags);
      // What happened before the decision is not told again.
      const { next } = await peekRun(run, flags);
      await decide({ run, decision, ...requestOf(flags, plan) }, flags, plan);
      await attendRun(run, flags, { after: next });
    });
}

const ONLY_FOR: readonly (readonly [keyof ContinueFlags, readonly string[]])[] = [
  ['task', ['approve', 'reject', 'retry', 'skip']],
  ['allCalls', ['approve']],
  ['tasks', ['inject', 'replan']],
  ['requirement', ['replan']],
  ['because', ['reject', 'abort']],
  ['result', ['skip']],
];

/** An option that a decision would not look at is a mistake that must not go unnoticed. */
export function findMisuse(decision: string, flags: Partial<ContinueFlags>): string | undefined {
  const [option, decisions] =
    ONLY_FOR.find(([one, allowed]) => flags[one] !== undefined && !allowed.includes(decision)) ??
    [];
  if (option)
    return `--${option === 'allCalls' ? 'all-calls' : option} is for ${decisions?.join(', ')}, not for ${decision}`;
  if (decision === 'inject' && flags.tasks === undefined) return 'inject needs --tasks <file>';
  if (decision === 'replan' && flags.requirement === undefined) {
    return 'replan needs --requirement <text>';
  }
  return undefined;
}

function requestOf(flags: ContinueFlags, plan: PlanFile | undefined): JsonObject {
  const { task, requirement, result, allCalls } = flags;
  const message = flags.message ?? flags.because;
  const { tasks, context } = plan?.args ?? {};
  return {
    ...(task !== undefined && { tasks: [...task] }),
    ...(allCalls === true && { all_calls: true }),
    ...(tasks !== undefined && { tasks }),
    ...(context !== undefined && { context }),
    ...(requirement !== undefined && { requirement }),
    ...(message !== undefined && { message }),
    ...(result !== undefined && { result }),
  };
}

async function decide(
  request: ControlParams<'run-decide'>,
  flags: ContinueFlags,
  plan: PlanFile | undefined,
): Promise<void> {
  try {
    await decideRun(request, flags);
  } catch (error) {
    if (!plan || !(error instanceof PmlError)) throw error;
    throw plan.explain(error);
  }
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new InvalidArgumentError(`Give JSON; a text needs quotes: '"done"'.`);
  }
}
