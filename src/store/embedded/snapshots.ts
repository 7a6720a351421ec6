import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';

import type { SnapshotFile } from '../store.js';
import type { StorePaths } from './store-paths.js';
import { packDirectory } from './tar.js';

const KEPT = 3;
const SUFFIX = '.tar.gz';
const DRAFT_SUFFIX = '.tmp';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Newest first. */
export async function listSnapshots({ snapshots }: StorePaths): Promise<readonly SnapshotFile[]> {
  const names = await readdir(snapshots).catch(() => [] as string[]);
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .toSorted()
    .toReversed()
    .map((name) => ({ path: join(snapshots, name), takenAt: dateOf(name) }));
}

export function isSnapshotDue(existing: readonly SnapshotFile[], now: Date): boolean {
  const [newest] = existing;
  return newest === undefined || now.getTime() - newest.takenAt.getTime() >= DAY_MS;
}

/** Nothing may write to the data directory meanwhile, and its last change must be checkpointed. */
export async function writeSnapshot(paths: StorePaths, takenAt: Date): Promise<SnapshotFile> {
  await mkdir(paths.snapshots, { recursive: true, mode: 0o700 });
  await removeDrafts(paths);
  const path = join(paths.snapshots, `${takenAt.toISOString().replaceAll(':', '-')}${SUFFIX}`);
  const draft = join(paths.snapshots, `${randomUUID()}${DRAFT_SUFFIX}`);
  try {
    const sha256 = await pack(paths.cluster, draft);
    await writeFile(checksumOf(path), `${sha256}\n`, { mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await removeOld(paths);
  return { path, takenAt };
}

export async function isIntact({ path }: SnapshotFile): Promise<boolean> {
  const expected = await readFile(checksumOf(path), 'utf8').catch(() => '');
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return expected.trim() === hash.digest('hex');
}

async function pack(directory: string, target: string): Promise<string> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(packDirectory(directory, { skip: ['postmaster.pid'] })),
    createGzip({ level: constants.Z_BEST_SPEED }),
    hashing,
    createWriteStream(target, { mode: 0o600, flush: true }),
  );
  return hash.digest('hex');
}

/** What a process that died while writing left behind. */
async function removeDrafts({ snapshots }: StorePaths): Promise<void> {
  for (const name of await readdir(snapshots)) {
    if (name.endsWith(DRAFT_SUFFIX)) await rm(join(snapshots, name), { force: true });
  }
}

async function removeOld(paths: StorePaths): Promise<void> {
  for (const { path } of (await listSnapshots(paths)).slice(KEPT)) {
    await rm(path, { force: true });
    await rm(checksumOf(path), { force: true });
  }
}

const checksumOf = (path: string): string => `${path}.sha256`;

/** Colons are not allowed in file names everywhere, so the time part uses dashes. */
function dateOf(name: string): Date {
  const [date, time = ''] = name.slice(0, -SUFFIX.length).split('T');
  return new Date(`${date}T${time.replaceAll('-', ':')}`);
}
