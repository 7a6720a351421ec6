import { Command, Option } from 'commander';

import type { ListedTool, RunDetails } from '../../control/index.js';
import type { ApprovalMode, JsonObject } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { parseArgs } from '../capabilities/args.js';
import { askStarted } from '../daemon/ask.js';
import { page } from '../print/page.js';
import { attendRun, type AttendFlags, type RunResultView } from '../runs/attend.js';
import { describeRunResults, valueLines } from '../runs/describe-results.js';
import { EXIT_CODES } from '../runs/marks.js';
import { describeToolOptions } from './describe-tool.js';
import { findTool } from './find-tool.js';
import { flagsOf, readToolFlags } from './tool-flags.js';

interface CallFlags extends AttendFlags {
  readonly args?: JsonObject;
  readonly intent?: string;
  readonly approve?: ApprovalMode;
  readonly help?: boolean;
}

/** The options that follow the tool are those of its schema. */
export function callCommand(): Command {
  return new Command('call')
    .argument('[tool]', 'server:tool; the name alone where only one server has it')
    .argument('[options...]', '--parameter value, as `pml tools show <tool>` lists them')
    .allowUnknownOption()
    .helpOption(false)
    .option('-h, --help', 'show this help, or the options of a tool')
    .option('--args <json>', 'arguments as a JSON object; options of the tool win', parseArgs)
    .option('--intent <text>', 'what it is for; remembered, and shown by `pml runs`')
    .addOption(
      new Option('--approve <when>', 'whether it stops and asks before a risky tool').choices([
        'risky',
        'never',
      ]),
    )
    .option('--no-wait', 'start it and leave')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (wanted: string | undefined, words: string[], flags, command: Command) => {
      const options = flags as CallFlags;
      if (wanted === undefined) {
        if (options.help) return command.outputHelp();
        return command.error("error: missing required argument 'tool'");
      }
      const tool = await findTool(wanted, options);
      if (options.help) return page(describeToolOptions(tool));
      await call(tool, words, options);
    });
}

async function call(
  { id, definition }: ListedTool,
  words: readonly string[],
  flags: CallFlags,
): Promise<void> {
  const { intent, approve } = flags;
  const schema = definition.inputSchema;
  const args = readToolFlags(words, { tool: id, flags: flagsOf(schema), args: flags.args ?? {} });
  const { answer } = await askStarted(flags, 'run-start', {
    tasks: [{ id: 'call', tool: id, args }],
    ...(intent !== undefined && { intent }),
    ...(approve !== undefined && { userApprove: approve }),
  });
  if (!('run' in answer)) throw new TypeError('the daemon answered with a plan instead of a run');
  await attendRun(answer.run, flags, { view: CALL_VIEW });
}

/** Prints the result alone, so that it can be piped. */
const CALL_VIEW: RunResultView = {
  lines(run) {
    const output = outputOf(run);
    return output === undefined ? describeRunResults(run) : valueLines(output);
  },
  json(run) {
    const output = outputOf(run);
    if (output !== undefined) return output;
    const [task] = run.tasks;
    const error = task?.error ?? run.error;
    return { run: run.run, status: run.status, ...(error && { error }) };
  },
};

function outputOf({ tasks: [task] }: RunDetails) {
  return task?.output ?? (task?.status === 'completed' ? visible(task.result ?? '') : undefined);
}
