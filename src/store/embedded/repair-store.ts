import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { type Logger, messageOf, PmlError } from '../../core/index.js';
import { acquireOwnerLock } from '../../process/index.js';
import { attempt, codeOf } from '../store-errors.js';
import type { SnapshotFile } from '../store.js';
import {
  createStoreFolder,
  ensureDataDirectory,
  fillFromTemplate,
  installCluster,
  unpackArchive,
} from './data-directory.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { BUILT_IN_TEMPLATE } from './embedded-store.js';
import { isIntact, listSnapshots } from './snapshots.js';
import { storePaths, type StorePaths } from './store-paths.js';

export interface RepairOptions {
  readonly dataDir: string;
  readonly logger: Logger;
  readonly template?: string;
  readonly now?: () => Date;
}

export type RepairReport =
  /** It opens and misses nothing: left alone. */
  | { readonly outcome: 'healthy' }
  | {
      readonly outcome: 'restored' | 'recreated';
      readonly problem: string;
      /** Folder with everything that was moved aside, nothing is deleted. */
      readonly movedTo: string;
      /** The snapshot now in place; none when recreated empty. */
      readonly snapshot?: SnapshotFile;
      readonly rejected: readonly { readonly path: string; readonly reason: string }[];
    };

/** Makes the store open again: from the newest snapshot that works or, without one, empty. */
export async function repairStore(options: RepairOptions): Promise<RepairReport> {
  const { dataDir, logger, template = BUILT_IN_TEMPLATE, now = () => new Date() } = options;
  const paths = storePaths(dataDir);
  return attempt(`repair ${paths.root}`, async () => {
    await createStoreFolder(paths);
    await using _lock = await acquireOwnerLock(paths.lock);
    const bench = { paths, logger, now, template };
    const problem = await diagnose(bench);
    if (problem === undefined) return { outcome: 'healthy' };
    const report = await rebuild(bench, problem);
    logger.warn('store repaired', { ...report });
    return report;
  });
}

interface Bench {
  readonly paths: StorePaths;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly template: string;
}

/** Opens the store as a start would. Only damage is ours to repair; anything else is thrown. */
async function diagnose(bench: Bench): Promise<string | undefined> {
  try {
    await ensureDataDirectory(bench.paths, bench);
    await using _ = await EmbeddedCluster.open(bench);
    return undefined;
  } catch (error) {
    if (error instanceof PmlError && error.code === 'STORE_CORRUPT') return error.message;
    throw error;
  }
}

async function rebuild(bench: Bench, problem: string): Promise<RepairReport> {
  const { paths } = bench;
  const movedTo = await moveAside(bench, [paths.cluster, paths.counts]);
  const rejected: { path: string; reason: string }[] = [];
  for (const snapshot of await listSnapshots(paths)) {
    const reason = await restore(bench, snapshot);
    if (reason === undefined) return { outcome: 'restored', problem, movedTo, snapshot, rejected };
    rejected.push({ path: snapshot.path, reason });
  }
  await installCluster(paths, (draft) => fillFromTemplate(draft, bench));
  return { outcome: 'recreated', problem, movedTo, rejected };
}

/** Puts a snapshot in place and opens it. Returns why it is of no use, undefined when it works. */
async function restore(bench: Bench, snapshot: SnapshotFile): Promise<string | undefined> {
  if (!(await isIntact(snapshot))) return 'its checksum does not match';
  const problem = await install(bench, snapshot).catch(messageOf);
  // It came from the snapshot, which stays: nothing is lost, and the next one needs the place.
  if (problem !== undefined) await rm(bench.paths.cluster, { recursive: true, force: true });
  return problem;
}

async function install(bench: Bench, snapshot: SnapshotFile): Promise<string | undefined> {
  await installCluster(bench.paths, (draft) => unpackArchive(snapshot.path, draft));
  return diagnose(bench);
}

async function moveAside({ paths, now }: Bench, files: readonly string[]): Promise<string> {
  const folder = join(paths.damaged, now().toISOString().replaceAll(':', '-'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const file of files) {
    await rename(file, join(folder, basename(file))).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }
  return folder;
}
