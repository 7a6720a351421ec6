import { type Command, InvalidArgumentError } from 'commander';

import type { CapabilityChange, CapabilityDetails } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { print, printJson } from '../print/print.js';

interface ForceFlags extends DaemonFlags {
  readonly force?: boolean;
}

interface DisableFlags extends ForceFlags {
  readonly reason?: string;
}

/** The commands that change one capability. */
export function changeCommands(): readonly Command[] {
  return [
    renameCommand(),
    mergeCommand(),
    pinCommand(),
    unpinCommand(),
    restoreCommand(),
    disableCommand(),
    enableCommand(),
    deleteCommand(),
  ];
}

function renameCommand(): Command {
  return daemonCommand('rename', 'Give one another name; the old one still means it')
    .argument('<name>')
    .argument('<new>', 'letters, digits and _')
    .action((name: string, to: string, flags: DaemonFlags) =>
      change({ action: 'rename', name, to }, flags, (one) => `${name} is ${one.name} now.`),
    );
}

function mergeCommand(): Command {
  return daemonCommand('merge', 'Make one part of another, which keeps its code')
    .argument('<from>', 'the one that goes; its name means the other then')
    .argument('<into>', 'the one that stays')
    .action((name: string, into: string, flags: DaemonFlags) =>
      change(
        { action: 'merge', name, into },
        flags,
        (one) => `${name} is part of ${one.name} now.`,
      ),
    );
}

function pinCommand(): Command {
  return daemonCommand('pin', 'Vouch for one: it is always offered, and not replaced unasked')
    .argument('<name>')
    .action((name: string, flags: DaemonFlags) =>
      change({ action: 'pin', name }, flags, (one) => `${one.name} is pinned.`),
    );
}

function unpinCommand(): Command {
  return daemonCommand('unpin', 'No longer vouch for one')
    .argument('<name>')
    .action((name: string, flags: DaemonFlags) =>
      change({ action: 'unpin', name }, flags, (one) => `${one.name} is not pinned.`),
    );
}

function restoreCommand(): Command {
  return daemonCommand('restore', 'Use another of its versions')
    .argument('<name>')
    .argument('<version>', 'a number that show gives', parseVersion)
    .action((name: string, version: number, flags: DaemonFlags) =>
      change(
        { action: 'restore', name, version },
        flags,
        (one) => `${one.name} is version ${one.version} now${stateOf(one)}.`,
      ),
    );
}

function disableCommand(): Command {
  return daemonCommand('disable', 'Take one out of use')
    .argument('<name>')
    .option('--reason <text>', 'why; callers get this text')
    .option('--force', 'also if others call it, which are out of use then too')
    .action((name: string, { reason, force, ...flags }: DisableFlags) =>
      change(
        {
          action: 'disable',
          name,
          ...(reason !== undefined && { reason }),
          ...(force && { force }),
        },
        flags,
        (one) => `${one.name} is disabled.`,
      ),
    );
}

function enableCommand(): Command {
  return daemonCommand('enable', 'Put one back into use, trusting its tools as they are today')
    .argument('<name>')
    .action((name: string, flags: DaemonFlags) =>
      change({ action: 'enable', name }, flags, (one) => `${one.name} is in use${stateOf(one)}.`),
    );
}

function deleteCommand(): Command {
  return daemonCommand('delete', 'Forget one with all its versions')
    .argument('<name>')
    .option('--force', 'without a question, and also if others call it')
    .action(async (name: string, { force, ...flags }: ForceFlags) => {
      // An unknown name fails before the question.
      const { answer: found } = await askStarted(flags, 'capability-show', { name });
      if (!force && !flags.json && !(await isMeant(found))) {
        process.exitCode = 1;
        return print('Nothing was changed.');
      }
      const request = { action: 'delete', name: found.name, ...(force && { force }) } as const;
      await change(request, flags, () => `${found.name} is forgotten.`);
    });
}

async function change(
  request: CapabilityChange,
  flags: DaemonFlags,
  describe: (after: CapabilityDetails) => string,
): Promise<void> {
  const { answer } = await askStarted(flags, 'capability-change', request);
  if (flags.json) return printJson(answer);
  print(visible('deleted' in answer ? `${answer.deleted} is forgotten.` : describe(answer)));
}

/** Without a terminal PML cannot ask, so the command counts as confirmed. */
async function isMeant({ name, uses }: CapabilityDetails): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return true;
  const { confirm, isCancel } = await import('@clack/prompts');
  const message = `Forget ${visible(name)}, used ${uses} times, with all its versions?`;
  const answer = await confirm({ message, initialValue: false });
  return !isCancel(answer) && answer;
}

function stateOf({ status, reason = '' }: CapabilityDetails): string {
  return status === 'active' ? '' : `, but ${status}: ${reason}`;
}

function parseVersion(text: string): number {
  const version = Number(text);
  if (Number.isInteger(version) && version >= 1) return version;
  throw new InvalidArgumentError('Give the number of a version, such as 1.');
}
