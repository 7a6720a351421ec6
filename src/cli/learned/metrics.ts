import { Command, InvalidArgumentError } from 'commander';

import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { describeLearning } from './learning-describe.js';
import { describeRankingMetrics } from './metrics-describe.js';
import { describeReliability } from './reliability-describe.js';
import { describeSpeculation } from './speculation-describe.js';

interface LastFlags extends DaemonFlags {
  readonly last: number;
}

const DEFAULT_LAST = 1_000;
const MOST = 20_000;

export function metricsCommand(): Command {
  return new Command('metrics')
    .addCommand(reliabilityCommand(), { isDefault: true })
    .addCommand(rankingCommand())
    .addCommand(speculationCommand())
    .addCommand(learningCommand());
}

function reliabilityCommand(): Command {
  return withLast(
    daemonCommand(
      'reliability',
      'Show how often claims come true, and what PML uses of what it learned',
    ),
  ).action(async (flags: LastFlags) => {
    const { last } = flags;
    const { answer: metrics } = await askStarted(flags, 'metrics-reliability', { last });
    if (flags.json) printJson(metrics);
    else await page(describeReliability(metrics));
  });
}

function speculationCommand(): Command {
  return daemonCommand(
    'speculation',
    'Show what PML did before it was asked, what that saved and wasted, and how sure it must be',
  ).action(async (flags: DaemonFlags) => {
    const { answer: metrics } = await askStarted(flags, 'metrics-speculation', {});
    if (flags.json) printJson(metrics);
    else await page(describeSpeculation(metrics));
  });
}

function learningCommand(): Command {
  return daemonCommand(
    'learning',
    'Show whether runs succeed more often, and in fewer calls, than at the beginning',
  ).action(async (flags: DaemonFlags) => {
    const { answer: metrics } = await askStarted(flags, 'metrics-learning', {});
    if (flags.json) printJson(metrics);
    else await page(describeLearning(metrics));
  });
}

function withLast(command: Command): Command {
  return command.option(
    '--last <count>',
    'count at most so many decisions that a call followed',
    parseLast,
    DEFAULT_LAST,
  );
}

function rankingCommand(): Command {
  return withLast(
    daemonCommand('ranking', 'Show how right searches, plans and next steps were'),
  ).action(async (flags: LastFlags) => {
    const { last } = flags;
    const { answer: metrics } = await askStarted(flags, 'metrics-ranking', { last });
    if (flags.json) printJson(metrics);
    else await page(describeRankingMetrics(metrics));
  });
}

function parseLast(text: string): number {
  const last = Number(text);
  if (Number.isInteger(last) && last >= 1 && last <= MOST) return last;
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST}.`);
}
