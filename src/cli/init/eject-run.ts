import {
  type BackupEntry,
  type Client,
  readManifest,
  restoreClientFile,
  type RestoreOutcome,
} from '../../clients/index.js';
import { messageOf } from '../../core/errors.js';
import { backupDirectory, type SetupIo } from './run.js';

/** These keep other settings in the file that has their servers, and write into it all the time. */
const WRITING: ReadonlySet<Client> = new Set([
  'claude-code',
  'codex',
  'gemini',
  'goose',
  'opencode',
  'zed',
]);

export interface EjectOptions {
  /** Empty: every client that was changed. */
  readonly clients: readonly Client[];
  readonly force: boolean;
  readonly keepChanges: boolean;
  readonly json: boolean;
}

/** Runs `pml eject` and answers its exit code: 1 if any file was left as it is. */
export async function runEject(options: EjectOptions, io: SetupIo): Promise<number> {
  try {
    const results = await eject(options, io);
    const isRefused = results.some(({ outcome }) => outcome.kind === 'refused');
    if (options.json) io.out(JSON.stringify(report(results), null, 2));
    else for (const line of describe(results)) (line.isError ? io.error : io.out)(line.text);
    return isRefused ? 1 : 0;
  } catch (error) {
    io.error(`pml eject: ${messageOf(error)}`);
    return 1;
  }
}

interface Result {
  readonly entry: BackupEntry;
  readonly outcome: RestoreOutcome;
}

/** Every file is tried: one that was changed since must not keep the others. */
async function eject(options: EjectOptions, io: SetupIo): Promise<readonly Result[]> {
  const { clients, force, keepChanges } = options;
  const directory = backupDirectory(io.machine.env);
  const entries = (await readManifest(directory)).filter(
    ({ client }) => clients.length === 0 || clients.includes(client),
  );
  const results: Result[] = [];
  for (const entry of entries) {
    const outcome = await restoreClientFile(directory, entry, {
      force,
      keepChanges: keepChanges || (WRITING.has(entry.client) && !force),
      now: io.now(),
    });
    results.push({ entry, outcome });
  }
  return results;
}

function describe(results: readonly Result[]): { text: string; isError: boolean }[] {
  if (results.length === 0) return [{ text: 'Nothing to do.', isError: false }];
  return results.map(({ entry: { path }, outcome }) => {
    if (outcome.kind === 'refused') {
      return { text: `${path} is left as it is: ${outcome.reason}`, isError: true };
    }
    return { text: `${path} ${SAID[outcome.kind]}${kept(outcome)}`, isError: false };
  });
}

const SAID = {
  restored: 'is as it was before',
  removed: 'is removed: there was none before',
  already: 'is already as it was before',
  merged: 'has its servers back; what was changed since stays',
  forced: 'is as it was before',
} as const;

function kept(outcome: RestoreOutcome): string {
  return outcome.kind === 'forced' && outcome.copy
    ? `; the changed version is ${outcome.copy}`
    : '';
}

function report(results: readonly Result[]) {
  return {
    files: results.map(({ entry: { client, path }, outcome }) => ({ client, path, ...outcome })),
  };
}
