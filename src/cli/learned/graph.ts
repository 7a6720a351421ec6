import { Command } from 'commander';

import type { ControlMethod, ControlParams, ControlResult } from '../../control/index.js';
import type { DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { askPatiently } from './ask-patiently.js';
import {
  describeGraph,
  describeGraphNode,
  describeGraphPath,
  describeRebuilt,
} from './graph-describe.js';

export function graphCommand(): Command {
  return new Command('graph')
    .addCommand(statsCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(pathCommand())
    .addCommand(rebuildCommand());
}

function statsCommand(): Command {
  return daemonCommand('stats', 'Show how big it is, and what is most central').action(
    async (flags: DaemonFlags) => {
      await tell(flags, 'graph-stats', {}, describeGraph);
    },
  );
}

function showCommand(): Command {
  return daemonCommand('show', 'Show a tool or a capability with all its edges')
    .argument('<id>', 'server:tool, cap:name or code:operation')
    .action(async (id: string, flags: DaemonFlags) => {
      await tell(flags, 'graph-show', { id }, describeGraphNode);
    });
}

function pathCommand(): Command {
  return daemonCommand('path', 'Show the strongest way from one to another')
    .argument('<from>', 'server:tool or cap:name')
    .argument('<to>', 'server:tool or cap:name')
    .addHelpText('after', '\nExit code 1 if nothing leads from one to the other.')
    .action(async (from: string, to: string, flags: DaemonFlags) => {
      const path = await tell(flags, 'graph-path', { from, to }, describeGraphPath);
      process.exitCode = path.steps ? 0 : 1;
    });
}

function rebuildCommand(): Command {
  return daemonCommand('rebuild', 'Rebuild it from all past executions, and compare')
    .option('--force', 'also remove what only deleted executions show')
    .action(async (flags: DaemonFlags & { readonly force?: boolean }) => {
      const params = { force: flags.force === true };
      await tell(flags, 'graph-rebuild', params, describeRebuilt);
    });
}

async function tell<M extends ControlMethod>(
  flags: DaemonFlags,
  method: M,
  params: ControlParams<M>,
  describe: (answer: ControlResult<M>) => readonly string[],
): Promise<ControlResult<M>> {
  const answer = await askPatiently(flags, method, params);
  if (flags.json) printJson(answer);
  else await page(describe(answer));
  return answer;
}
