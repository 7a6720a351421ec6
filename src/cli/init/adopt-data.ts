import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { defaultDataDir, pmlHome } from '../../config/find.js';
import type { LoadedConfig } from '../../config/load.js';
import { PmlError } from '../../core/errors.js';
import { adoptDataDir, assertSafe, type DataDir, isForeign } from '../../daemon/index.js';
import { lockOwner } from '../../process/index.js';

/** Data that PML leaves alone until the user says that it is the own one. */
export type UnusedData =
  /** The configuration names it, and PML did not make it. */
  | { readonly kind: 'named'; readonly place: DataDir }
  /** `.pml` beside the file, where earlier versions kept data of projects. */
  | { readonly kind: 'beside'; readonly path: string; readonly place: DataDir };

export function findUnusedData({ path, dataDir }: LoadedConfig): UnusedData | undefined {
  const { env } = process;
  const place = { dataDir, home: pmlHome(env), isNamed: Boolean(env['PML_DATA_DIR']) };
  if (isForeign(place)) return { kind: 'named', place };
  const beside = join(dirname(path), '.pml');
  const isDefault = dataDir === defaultDataDir(path, env);
  if (!isDefault || beside === place.home || !existsSync(beside)) return undefined;
  return { kind: 'beside', path: beside, place };
}

export function describeUnused(unused: UnusedData): string {
  if (unused.kind === 'named') {
    return `${unused.place.dataDir} holds data that PML did not make for you on this machine. PML does not use it: its runs would go on, and its capabilities would be offered.`;
  }
  return `${unused.path} is not used: PML keeps the data of this file in ${unused.place.dataDir}, where no repository can bring it along.`;
}

/** Makes it the data of the configuration, after checking it. Moves what lies beside the file. */
export async function adoptData(unused: UnusedData): Promise<void> {
  const { place } = unused;
  if (unused.kind === 'named') return adoptDataDir(place);
  if (existsSync(place.dataDir)) {
    throw new PmlError(
      'DATA_DIR_REFUSED',
      `${place.dataDir} holds data of this configuration already. Move it away first (after \`pml stop\`) to take over ${unused.path}.`,
    );
  }
  const owner = await lockOwner(join(unused.path, 'daemon.lock'));
  if (owner?.isAlive) {
    throw new PmlError(
      'DATA_DIR_IN_USE',
      `Process ${owner.pid} uses ${unused.path}. Stop it, then run this again.`,
    );
  }
  assertSafe({ dataDir: unused.path, home: place.home });
  mkdirSync(dirname(place.dataDir), { recursive: true, mode: 0o700 });
  move(unused.path, place.dataDir);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // Another file system: the copy gets its name when it is whole, and the original stays.
    cpSync(from, `${to}.copy`, { recursive: true, errorOnExist: true, force: false });
    renameSync(`${to}.copy`, to);
  }
}
