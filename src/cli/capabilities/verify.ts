import type { Command } from 'commander';

import type { VerifiedCapability } from '../../control/index.js';
import { unreachable } from '../../core/errors.js';
import { runId } from '../../core/ids.js';
import type { JsonObject } from '../../core/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { print, printJson } from '../print/print.js';
import { attendRun } from '../runs/attend.js';
import { followRun } from '../runs/follow.js';
import { parseArgs } from './args.js';
import { startCapability } from './start.js';

interface VerifyFlags extends DaemonFlags {
  readonly all?: boolean;
  readonly run?: boolean;
  readonly args?: JsonObject;
}

/** The daemon answers after this time at the latest. */
const WAIT_MS = 10_000;

export function verifyCommand(): Command {
  return daemonCommand(
    'verify',
    'Run what is quarantined again; those with side effects are only listed',
  )
    .argument('[name]', 'only this one; else all in quarantine')
    .option('--all', 'those in use as well: whether their tools are what they were')
    .option('--run', 'also run what may change something')
    .option('--args <json>', 'what it is given, as a JSON object', parseArgs)
    .action(async (name: string | undefined, flags: VerifyFlags) => {
      const { all, args } = flags;
      const { answer } = await askStarted(flags, 'capabilities-verify', {
        ...(name !== undefined && { name }),
        ...(all && { all }),
        ...(args && { args }),
      });
      const { verified: told } = answer;
      const verified = flags.run ? await runThose(told, flags) : told;
      process.exitCode = verified.every(isInUse) ? 0 : 1;
      if (flags.json) return printJson({ verified });
      if (verified.length === 0) print('None is in quarantine.');
      for (const one of verified) print(visible(describeVerified(one)));
    });
}

/** `--run` is the consent to run them; the runs themselves still ask as usual. */
async function runThose(
  told: readonly VerifiedCapability[],
  flags: VerifyFlags,
): Promise<readonly VerifiedCapability[]> {
  const verified: VerifiedCapability[] = [];
  for (const one of told) verified.push(one.kind === 'needs-run' ? await runIt(one, flags) : one);
  return verified;
}

async function runIt(
  { name, args }: Extract<VerifiedCapability, { kind: 'needs-run' }>,
  flags: VerifyFlags,
): Promise<VerifiedCapability> {
  const run = runId(await startCapability({ capability: name, args }, flags));
  // `--json` prints one object, so the run itself prints nothing.
  if (flags.json) await followRun(run, flags, { after: 0, waitMs: WAIT_MS, onAnswer: () => {} });
  else await attendRun(run, { ...flags, wait: true });
  const { answer } = await askStarted(flags, 'capability-show', { name });
  const { status, reason = 'it has not worked' } = answer;
  return status === 'active'
    ? { name, kind: 'proven', run }
    : { name, kind: 'failed', run, reason };
}

function isInUse({ kind }: VerifiedCapability): boolean {
  return kind === 'active' || kind === 'restored' || kind === 'proven';
}

export function describeVerified(one: VerifiedCapability): string {
  const { name } = one;
  switch (one.kind) {
    case 'active':
      return `${name}: in use; its tools are what it was proven with`;
    case 'restored':
      return `${name}: in use again; its tools are what it can work with`;
    case 'proven':
      return `${name}: in use again; it worked (${one.run})`;
    case 'failed':
      return `${name}: still in quarantine: ${one.reason}${one.run ? ` (${one.run})` : ''}`;
    case 'running':
      return `${name}: still running: pml watch ${one.run}`;
    case 'needs-run':
      return `${name}: only a run can tell, with ${JSON.stringify(one.args)} and its defaults; it may call ${one.tools.join(', ')}. To run it: pml capabilities verify ${name} --run`;
    case 'needs-args':
      return `${name}: only a run can tell, and it needs ${one.missing.join(', ')}: pml capabilities verify ${name} --args '{…}'`;
    case 'impossible':
      return `${name}: cannot be proven: ${one.reason}`;
    default:
      return unreachable(one);
  }
}
