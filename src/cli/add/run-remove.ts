import { parseConfig } from '../../config/load.js';
import { editJsonc } from '../../config/text/edit-jsonc.js';
import { closestWord, isJsonObject, messageOf, PmlError } from '../../core/index.js';
import { describeEntry } from '../init/print.js';
import type { SetupIo } from '../init/run.js';
import { readTarget, type Target } from '../init/target.js';
import { configPath, isAgreed, writeConfig, type WriteOptions } from './run-add.js';

type Outcome = 'removed' | 'dry-run' | 'declined';

const CLOSING: Readonly<Record<Outcome, string>> = {
  removed: 'Removed. A running daemon ends the server by itself.',
  'dry-run': 'Dry run: nothing was written.',
  declined: 'Nothing was written.',
};

/** Runs `pml remove` and answers its exit code. */
export async function runRemove(name: string, options: WriteOptions, io: SetupIo): Promise<number> {
  try {
    const target = await readTarget(await configPath(options, io), io.machine.env);
    const outcome = await remove(name, target, { options, io });
    if (options.json) io.out(JSON.stringify({ status: outcome, config: target.path, name }));
    else io.out(CLOSING[outcome]);
    return outcome === 'declined' ? 1 : 0;
  } catch (error) {
    if (options.json) io.out(JSON.stringify({ status: 'failed', error: messageOf(error) }));
    io.error(`pml remove: ${messageOf(error)}`);
    return 1;
  }
}

async function remove(
  name: string,
  target: Target,
  { options, io }: { readonly options: WriteOptions; readonly io: SetupIo },
): Promise<Outcome> {
  const entry = target.servers[name];
  if (target.text === undefined || entry === undefined) throw unknown(name, target);
  if (!options.json) {
    io.out(`From ${target.path}:`);
    io.out(`  - ${name}`);
    for (const line of isJsonObject(entry) ? describeEntry(entry, 'none') : []) io.out(line);
  }
  const text = editJsonc(target.text, [{ path: ['mcpServers', name], value: undefined }]);
  // What we are about to write must be what we can read.
  parseConfig(text, { path: target.path, env: io.machine.env });
  if (options.dryRun) return 'dry-run';
  if (!(await isAgreed('Remove it?', options, io))) return 'declined';
  await writeConfig(target, target.mark + text, io);
  return 'removed';
}

function unknown(name: string, { path, servers }: Target): PmlError {
  const known = Object.keys(servers);
  const near = closestWord(name, known);
  const hint = near === undefined ? `There are: ${known.join(', ') || 'none'}` : `Near: ${near}`;
  return new PmlError('SERVER_UNKNOWN', `${path} has no server ${name}. ${hint}`);
}
