/** The embedded database before it has any table, for tests of what makes and changes them. */
import { Kysely } from 'kysely';

import { silentLogger } from '../../src/core/index.js';
import { createStoreFolder, ensureDataDirectory } from '../../src/store/embedded/data-directory.js';
import { PgliteConnection } from '../../src/store/embedded/pglite-connection.js';
import { createPgliteDialect } from '../../src/store/embedded/pglite-dialect.js';
import { type StorePaths, storePaths } from '../../src/store/embedded/store-paths.js';
import type { Tables } from '../../src/store/schema.js';
import { storeTemplate } from './store-template.js';
import { temporaryFolder } from './temporary-folder.js';

/** A data directory as the package installs it. */
export async function installBareStore(dataDir: string): Promise<StorePaths> {
  const paths = storePaths(dataDir);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger: silentLogger });
  return paths;
}

export interface BareStore extends AsyncDisposable {
  readonly pglite: PgliteConnection;
  readonly db: Kysely<Tables>;
  /** From here on tables are made and found in a schema of their own, as if there were no others. */
  readonly startAnew: () => Promise<void>;
}

/** Opens one in `dataDir`, or in a folder that goes with it. */
export async function openBareStore(dataDir?: string): Promise<BareStore> {
  const own = dataDir === undefined ? await temporaryFolder() : undefined;
  const paths = await installBareStore(dataDir ?? own?.path ?? '');
  const pglite = await PgliteConnection.open(paths.cluster, silentLogger);
  let schemas = 0;
  return {
    pglite,
    db: new Kysely<Tables>({ dialect: createPgliteDialect(pglite) }),
    async startAnew() {
      const name = `anew_${schemas++}`;
      // What extensions bring is in `public`.
      await pglite.exec(`create schema ${name}; set search_path to ${name}, public`);
    },
    async [Symbol.asyncDispose]() {
      await pglite[Symbol.asyncDispose]();
      await own?.[Symbol.asyncDispose]();
    },
  };
}
