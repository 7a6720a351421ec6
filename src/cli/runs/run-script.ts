import type { ReachedTools } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import type { ApprovalMode, JsonObject } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted } from '../daemon/ask.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { readLines } from '../print/read-rows.js';
import { table } from '../print/table.js';
import { attendRun, type AttendFlags } from './attend.js';

export interface ScriptFlags extends AttendFlags {
  readonly intent?: string;
  readonly approve?: ApprovalMode;
  readonly dryRun?: boolean;
  readonly args?: JsonObject;
}

export function isScript(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(file);
}

/** Runs a script over the tools, as an agent does with `pml_execute_code`. */
export async function runScript(file: string, flags: ScriptFlags): Promise<void> {
  const { intent, approve, dryRun, args } = flags;
  const code = await readLines(file);
  const started = await start(file, flags, {
    code,
    ...(args && { args }),
    ...(intent !== undefined && { intent }),
    ...(approve !== undefined && { userApprove: approve }),
    ...(dryRun === true && { mode: 'dry_run' }),
  });
  if ('run' in started) return attendRun(started.run, flags);
  if (flags.json) return printJson(started.effects);
  await page(describeEffects(started.effects));
}

async function start(
  file: string,
  flags: ScriptFlags,
  request: JsonObject & { readonly userApprove?: ApprovalMode },
) {
  try {
    return (await askStarted(flags, 'code-start', request)).answer;
  } catch (error) {
    if (!(error instanceof PmlError)) throw error;
    throw new PmlError(error.code, `${file}: ${error.message}`, { cause: error });
  }
}

/** What a script can reach, and before what it stops. */
export function describeEffects(
  { tools, note }: ReachedTools,
  columns?: number,
): readonly string[] {
  const rows = tools.map(({ tool, risk, asks }) => [
    `  ${visible(tool)}`,
    risk,
    asks === undefined ? '' : `asks first: ${visible(asks)}`,
  ]);
  return [
    ...(rows.length > 0
      ? ['The script can call:', ...table(rows, columns).split('\n')]
      : ['The script names no tool.']),
    ...(note === undefined ? [] : [visible(note)]),
    '',
    'Dry run: no tool was called.',
  ];
}
