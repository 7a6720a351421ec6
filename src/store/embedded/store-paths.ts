import { join } from 'node:path';

/** Where everything of the embedded store lives, all under `<dataDir>/store`. */
export interface StorePaths {
  readonly root: string;
  /** The PostgreSQL data directory. */
  readonly cluster: string;
  readonly lock: string;
  /** Row counts of the last clean checkpoint. */
  readonly counts: string;
  readonly snapshots: string;
  /** What `repairStore` moved aside. */
  readonly damaged: string;
}

export function storePaths(dataDir: string): StorePaths {
  const root = join(dataDir, 'store');
  return {
    root,
    cluster: join(root, 'pg'),
    lock: join(root, 'owner.lock'),
    counts: join(root, 'counts.json'),
    snapshots: join(root, 'snapshots'),
    damaged: join(root, 'damaged'),
  };
}
