/**
 * Prepares a data directory that PGlite may open. PGlite itself initialises over anything that
 * lacks `PG_VERSION`, which would bury the existing data. The caller holds the owner lock.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, chmod, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

import { type Logger, PmlError } from '../../core/index.js';
import { codeOf, storeCorrupt } from '../store-errors.js';
import { PgliteConnection } from './pglite-connection.js';
import type { StorePaths } from './store-paths.js';
import { unpackInto } from './tar.js';

/** The PostgreSQL major version inside PGlite 0.5. */
const POSTGRES_MAJOR = '18';

const DRAFT_PREFIX = 'pg.new-';

export interface DataDirectoryOptions {
  readonly template: string;
  readonly logger: Logger;
}

export async function createStoreFolder({ root }: StorePaths): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
}

/** Creates the data directory if it is missing, and checks an existing one. */
export async function ensureDataDirectory(
  paths: StorePaths,
  { template, logger }: DataDirectoryOptions,
): Promise<void> {
  await removeDrafts(paths);
  const entries = await listIfPresent(paths.cluster);
  if (entries === undefined || entries.length === 0) {
    await installCluster(paths, (draft) => fillFromTemplate(draft, { template, logger }));
  } else if (!entries.includes('PG_VERSION')) {
    throw storeCorrupt('The data directory holds files but no PG_VERSION', {
      directory: paths.cluster,
    });
  }
  await checkVersion(paths.cluster);
  // We own the directory, so any pid file is a leftover; an empty one keeps PGlite from opening.
  await rm(join(paths.cluster, 'postmaster.pid'), { force: true });
}

/** Fills a draft beside the data directory and renames it into place: all of it or nothing. */
export async function installCluster(
  paths: StorePaths,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(paths.root, `${DRAFT_PREFIX}${randomUUID()}`);
  try {
    await fill(draft);
    await chmod(draft, 0o700);
    if ((await listIfPresent(paths.cluster)) !== undefined) await rmdir(paths.cluster);
    await rename(draft, paths.cluster);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

export async function unpackArchive(archive: string, directory: string): Promise<void> {
  const compressed = createReadStream(archive);
  const unzipped = archive.endsWith('.br') ? createBrotliDecompress() : createGunzip();
  compressed.on('error', (error) => unzipped.destroy(error));
  // A damaged archive may fail before anything reads it; the reader gets the error then.
  unzipped.on('error', () => {});
  await unpackInto(directory, compressed.pipe(unzipped));
}

/** Without a template, as in a source checkout, PGlite creates the cluster itself: slow, 800 MB. */
export async function fillFromTemplate(
  draft: string,
  { template, logger }: DataDirectoryOptions,
): Promise<void> {
  if (await exists(template)) return unpackArchive(template, draft);
  logger.info('no prepared data directory, initialising a new one', { template });
  {
    await using _ = await PgliteConnection.open(draft, logger);
  }
  await keepToOwner(draft);
}

/** PGlite's own initialisation leaves world-writable files. */
async function keepToOwner(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

async function checkVersion(directory: string): Promise<void> {
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  if (version === POSTGRES_MAJOR) return;
  if (!/^\d+$/.test(version)) throw storeCorrupt('PG_VERSION is not readable', { directory });
  throw new PmlError(
    'STORE_FAILED',
    `The data directory was written by PostgreSQL ${version}, this pml reads ${POSTGRES_MAJOR} ` +
      `(${directory}). Use the pml version that wrote it, or another data directory.`,
    { details: { directory, version } },
  );
}

/** Leftovers of a process that died while creating or restoring. */
async function removeDrafts({ root }: StorePaths): Promise<void> {
  for (const name of await readdir(root)) {
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function listIfPresent(directory: string): Promise<string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
