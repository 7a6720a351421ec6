import { join } from 'node:path';

import * as z from 'zod';

import { readConfigText } from '../config/text/read-text.js';
import { writeAtomic } from '../config/text/write-atomic.js';
import { PmlError } from '../core/index.js';
import { CLIENTS } from './client-files.js';

const BackupEntry = z.object({
  client: z.enum(CLIENTS),
  /** The client's file. */
  path: z.string(),
  /** File name of the copy in the backup directory; null if the client had no file. */
  backup: z.string().nullable(),
  sha256Before: z.string().nullable(),
  sha256After: z.string(),
  time: z.string(),
  /** Places of the server maps in the file. */
  serverPaths: z.array(z.array(z.string())),
  /** Copies of versions that were replaced later; kept, never restored by themselves. */
  alsoKept: z.array(z.string()).default([]),
});

const Manifest = z.object({ version: z.literal(1), entries: z.array(BackupEntry) });

/** One client file that PML changed and can put back. */
export type BackupEntry = z.infer<typeof BackupEntry>;

export async function readManifest(directory: string): Promise<readonly BackupEntry[]> {
  const path = manifestPath(directory);
  const read = await readConfigText(path);
  if (!read) return [];
  try {
    return Manifest.parse(JSON.parse(read.text)).entries;
  } catch (cause) {
    throw new PmlError(
      'CONFIG_INVALID',
      `${path} is damaged; the copies beside it are whole: put them back by hand, then delete it`,
      { cause },
    );
  }
}

/** Stores the entry of one client file; undefined forgets it. */
export async function updateManifest(
  directory: string,
  path: string,
  entry: BackupEntry | undefined,
): Promise<void> {
  const others = (await readManifest(directory)).filter((other) => other.path !== path);
  const entries = entry ? [...others, entry] : others;
  const text = JSON.stringify({ version: 1, entries }, null, 2);
  await writeAtomic(manifestPath(directory), `${text}\n`);
}

function manifestPath(directory: string): string {
  return join(directory, 'manifest.json');
}
