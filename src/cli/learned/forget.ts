import { Argument, type Command } from 'commander';

import {
  FORGET_TARGETS,
  type ForgetTarget,
  type ForgottenRows,
} from '../../control/contract/speculation.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { count, print, printJson } from '../print/print.js';

export function forgetCommand(): Command {
  return daemonCommand('forget')
    .addArgument(
      new Argument('<what>', 'what to forget; `speculation` is both').choices(FORGET_TARGETS),
    )
    .addHelpText(
      'after',
      '\nepisodes: past predictions with their intents. thresholds: how sure PML must be, back to 0.92.',
    )
    .action(async (what: ForgetTarget, flags: DaemonFlags) => {
      const { answer } = await askStarted(flags, 'forget', { what });
      if (flags.json) printJson(answer);
      else print(describeForgotten(what, answer));
    });
}

export function describeForgotten(what: ForgetTarget, forgotten: ForgottenRows): string {
  const parts = [
    ...(what === 'thresholds' ? [] : [amount(forgotten.episodes, 'episode')]),
    ...(what === 'episodes' ? [] : [amount(forgotten.thresholds, 'threshold')]),
  ];
  return `PML forgot ${parts.join(' and ')}.`;
}

function amount(value: number, name: string): string {
  return `${count(value)} ${name}${value === 1 ? '' : 's'}`;
}
