import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { writeAtomic } from '../config/text/write-atomic.js';
import { isAbsent, PmlError } from '../core/index.js';
import { sha256 } from '../core/sha256.js';
import { readManifest, updateManifest } from './backup-manifest.js';
import type { ClientFile } from './client-files.js';

export interface Replacement {
  readonly file: ClientFile;
  /** What the file held when it was read; undefined if there was none. */
  readonly before: Uint8Array | undefined;
  readonly after: string;
  readonly now: Date;
}

/**
 * Changes a client's file after keeping a copy. The copy and its record are on disk before the file
 * changes, so whenever we are interrupted `restoreClientFile` can tell what happened. A file that was
 * changed before keeps its first copy: that one is from before PML.
 */
export async function replaceClientFile(directory: string, change: Replacement): Promise<void> {
  const { file, before, after, now } = change;
  const { client, path } = file;
  const current = await readIfAny(path);
  if (hashOf(current) !== hashOf(before)) {
    throw new PmlError('CONFIG_INVALID', `${path} changed in the meantime; run the command again`);
  }
  const copy = before && (await keepCopy(directory, { path, bytes: before, now }));
  const known = (await readManifest(directory)).find((entry) => entry.path === path);
  const isEdited = known !== undefined && hashOf(before) !== known.sha256Before;
  await updateManifest(
    directory,
    path,
    isEdited
      ? {
          ...known,
          sha256After: sha256(after),
          alsoKept: [...known.alsoKept, ...(copy ? [copy] : [])],
        }
      : {
          client,
          path,
          backup: copy ?? null,
          sha256Before: hashOf(before),
          sha256After: sha256(after),
          time: now.toISOString(),
          serverPaths: file.serverPaths.map((place) => [...place]),
          alsoKept: known?.alsoKept ?? [],
        },
  );
  await writeAtomic(path, after);
}

/** Stores bytes in the backup directory and answers the name of the copy. */
export async function keepCopy(
  directory: string,
  { path, bytes, now }: { path: string; bytes: Uint8Array; now: Date },
): Promise<string> {
  const time = now.toISOString().replaceAll(/[:.]/g, '-');
  const name = `${time}-${sha256(path + sha256(bytes)).slice(0, 12)}-${basename(path)}`;
  await writeAtomic(join(directory, name), bytes);
  return name;
}

export async function readIfAny(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export function hashOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : sha256(bytes);
}
