import { Command, InvalidArgumentError } from 'commander';

import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { print, printJson } from '../print/print.js';
import { describeRankingMetrics } from './metrics-describe.js';

interface RankingFlags extends DaemonFlags {
  readonly last: number;
}

const DEFAULT_LAST = 1_000;
const MOST = 20_000;

export function metricsCommand(): Command {
  return new Command('metrics')
    .description('Show how well PML does what it does')
    .addCommand(rankingCommand());
}

function rankingCommand(): Command {
  return daemonCommand('ranking', 'Show how right searches, plans and next steps were')
    .option(
      '--last <count>',
      'of so many decisions that something became of',
      parseLast,
      DEFAULT_LAST,
    )
    .action(async (flags: RankingFlags) => {
      const { last } = flags;
      const { answer: metrics } = await askStarted(flags, 'metrics-ranking', { last });
      if (flags.json) printJson(metrics);
      else for (const line of describeRankingMetrics(metrics)) print(line);
    });
}

function parseLast(text: string): number {
  const last = Number(text);
  if (Number.isInteger(last) && last >= 1 && last <= MOST) return last;
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST}.`);
}
