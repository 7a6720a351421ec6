import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeAtomic } from '../config/text/write-atomic.js';
import { type BackupEntry, updateManifest } from './backup-manifest.js';
import { hashOf, keepCopy, readIfAny } from './replace-client-file.js';
import { restoreServers } from './restore-servers.js';

export type RestoreOutcome =
  | { readonly kind: 'restored' | 'removed' | 'already' }
  /** Overwritten although it had changed; the changed version is kept in this copy. */
  | { readonly kind: 'forced'; readonly copy: string | undefined }
  /** It had changed, so only its servers are as before. */
  | { readonly kind: 'merged' }
  | { readonly kind: 'refused'; readonly reason: string };

export interface RestoreOptions {
  readonly force: boolean;
  /** Puts only the servers back into a file that was changed since. */
  readonly keepChanges: boolean;
  readonly now: Date;
}

/** Puts back, byte for byte, what a client's file held before PML. */
export async function restoreClientFile(
  directory: string,
  entry: BackupEntry,
  { force, keepChanges, now }: RestoreOptions,
): Promise<RestoreOutcome> {
  const current = await readIfAny(entry.path);
  const hash = hashOf(current);
  if (hash === entry.sha256Before) {
    await forget(directory, entry);
    return { kind: 'already' };
  }
  const isOurs = hash === entry.sha256After;
  if (!isOurs && !force && !(keepChanges && current))
    return { kind: 'refused', reason: describeChange(entry, current) };
  const original =
    entry.backup === null ? undefined : await readIfAny(join(directory, entry.backup));
  if (hashOf(original) !== entry.sha256Before) {
    const copy = join(directory, entry.backup ?? '');
    return { kind: 'refused', reason: `the copy ${copy} is missing or damaged` };
  }

  if (!isOurs && keepChanges && current) {
    await writeAtomic(entry.path, restoreServers(entry, { current, original }));
    await forget(directory, entry);
    return { kind: 'merged' };
  }
  const changed = isOurs ? undefined : current;
  const copy = changed && (await keepCopy(directory, { path: entry.path, bytes: changed, now }));
  if (original) await writeAtomic(entry.path, original);
  else await rm(entry.path, { force: true });
  await forget(directory, entry);
  if (!isOurs) return { kind: 'forced', copy: copy && join(directory, copy) };
  return { kind: original ? 'restored' : 'removed' };
}

function describeChange(entry: BackupEntry, current: Uint8Array | undefined): string {
  const what = current ? 'was changed' : 'was deleted';
  return (
    `it ${what} after \`pml init\`; --keep-changes puts back only its servers, --force the whole ` +
    `version of ${entry.time}, with a copy of the changed one in the backup directory`
  );
}

/** Once restored, the copy holds nothing new, but it may hold secrets. */
async function forget(directory: string, entry: BackupEntry): Promise<void> {
  await updateManifest(directory, entry.path, undefined);
  if (entry.backup !== null) await rm(join(directory, entry.backup), { force: true });
}
