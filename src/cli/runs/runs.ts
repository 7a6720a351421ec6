import { Command, InvalidArgumentError } from 'commander';

import type { RunInfo } from '../../control/index.js';
import type { DaemonFlags } from '../daemon/ask.js';
import { screenColumns } from '../print/columns.js';
import { page } from '../print/page.js';
import { print, printJson } from '../print/print.js';
import { describeRunTable } from './describe-table.js';
import { listRuns } from './find.js';
import { exitCodeOf } from './marks.js';

interface RunsFlags extends DaemonFlags {
  readonly limit: number;
  readonly open?: boolean;
}

const MOST_RUNS = 1_000;

export function runsCommand(): Command {
  return new Command('runs')
    .option('-n, --limit <count>', 'how many', parseLimit, 20)
    .option('--open', 'only those that run, wait for a decision or are damaged')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: RunsFlags) => {
      const { limit, open, json } = flags;
      const known = await listRuns(flags, open ? MOST_RUNS : limit);
      const runs = known.filter((run) => !open || isOpen(run)).slice(0, limit);
      if (json) return printJson({ runs });
      if (runs.length === 0) return print(open ? 'No run is open.' : 'There are no runs yet.');
      await page(describeRunTable(runs, screenColumns()));
    });
}

/** The run is in progress, or waits for the user. */
function isOpen(run: RunInfo): boolean {
  return run.status === 'damaged' || exitCodeOf(run) > 1;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_RUNS) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_RUNS}.`);
}
