import { Command, Option } from 'commander';

import type { ApprovalMode, JsonObject } from '../../core/index.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { screenColumns } from '../print/columns.js';
import { page } from '../print/page.js';
import { print, printJson } from '../print/print.js';
import { attendRun, type AttendFlags } from '../runs/attend.js';
import { EXIT_CODES } from '../runs/marks.js';
import { parseArgs } from './args.js';
import { changeCommands } from './change.js';
import { describeCapabilityTable } from './describe-table.js';
import { describeCapability } from './describe.js';
import { exportCommand, importCommand } from './file.js';
import { startCapability } from './start.js';
import { verifyCommand } from './verify.js';

interface RunFlags extends AttendFlags {
  readonly args?: JsonObject;
  readonly intent?: string;
  readonly approve?: ApprovalMode;
}

export function capabilitiesCommand(): Command {
  const command = new Command('capabilities')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(runCommand());
  for (const one of changeCommands()) command.addCommand(one);
  return command
    .addCommand(verifyCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand());
}

function listCommand(): Command {
  return daemonCommand('list', 'List all capabilities').action(async (flags: DaemonFlags) => {
    const { answer } = await askStarted(flags, 'capabilities', {});
    const { capabilities: rows } = answer;
    if (flags.json) return printJson({ capabilities: rows });
    if (rows.length === 0) {
      return print('There are no capabilities yet. Code that works becomes one.');
    }
    await page(describeCapabilityTable(rows, screenColumns()));
  });
}

function showCommand(): Command {
  return daemonCommand('show', 'Show one: how to call it, what it does, how it went')
    .argument('<name>', 'its name, or one it had before')
    .action((name: string, flags: DaemonFlags) => showCapability(name, flags));
}

export async function showCapability(name: string, flags: DaemonFlags): Promise<void> {
  const { answer: details } = await askStarted(flags, 'capability-show', { name });
  if (flags.json) return printJson(details);
  await page(describeCapability(details));
}

function runCommand(): Command {
  return daemonCommand('run', 'Run one and stay with it until it ends or asks something')
    .argument('<name>', 'its name, or one it had before')
    .option('--args <json>', 'what it is given, as a JSON object', parseArgs)
    .option('--intent <text>', 'what it is for; remembered, and shown by `pml runs`')
    .addOption(
      new Option('--approve <when>', 'before what it stops and asks').choices([
        'risky',
        'per_layer',
        'never',
      ]),
    )
    .option('--no-wait', 'start it and leave')
    .addHelpText('after', EXIT_CODES)
    .action(async (name: string, flags: RunFlags) => {
      const { args = {}, intent, approve } = flags;
      const request = {
        capability: name,
        args,
        ...(intent !== undefined && { intent }),
        ...(approve !== undefined && { userApprove: approve }),
      };
      await attendRun(await startCapability(request, flags), flags);
    });
}
