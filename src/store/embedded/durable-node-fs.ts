import fs from 'node:fs';

import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type EngineOptions = Parameters<NodeFS['init']>[1];

/** The part of Emscripten's file system on which we act; its own typings leave it out. */
interface NodeFileSystem {
  /** `nfd` is the descriptor of the host. A result other than 0 is an error number of WASI. */
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number };
}

interface Engine {
  readonly FS: { readonly filesystems: { readonly NODEFS: NodeFileSystem } };
}

const WASI_EIO = 29;

/** The defaults reserve 128 MB of buffers for a database of a few; the page cache of the system has them, too. */
const MEMORY_SETTINGS = ['shared_buffers=4MB', 'wal_buffers=1MB', 'maintenance_work_mem=16MB'];

/** Of the files a process may have open, so many are for the database: by default it would take all. */
const FILE_SETTINGS = ['max_files_per_process=64'];

/** What makes PostgreSQL sync through us: Emscripten ignores the default method, `fdatasync`. */
const DURABLE_SETTINGS = ['fsync=on', 'wal_sync_method=fsync'];

/** PGlite's own, without the `-F` that turns syncing off. */
export const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[...MEMORY_SETTINGS, ...FILE_SETTINGS, ...DURABLE_SETTINGS].flatMap((setting) => [
    '-c',
    setting,
  ]),
];

/**
 * PGlite's file system with an `fsync` that reaches the disk. Without it a commit survives the death
 * of the process but not a power failure.
 */
export class DurableNodeFS extends NodeFS {
  override async init(pglite: PGlite, options: EngineOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      (engine: object) => installSync((engine as Engine).FS.filesystems.NODEFS),
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function installSync({ stream_ops }: NodeFileSystem): void {
  stream_ops.fsync = ({ nfd }) => {
    try {
      fs.fsyncSync(nfd);
      return 0;
    } catch {
      // PostgreSQL knows what to do about a failed sync; an exception would tear it apart.
      return WASI_EIO;
    }
  };
}
