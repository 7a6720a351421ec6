// Makes the archive of an initialised PGlite data directory that ships in the package. Installing it
// at the first start takes half the time and a third of the memory of initialising on the user's
// machine, and it cannot be interrupted half-way.
// Usage: node scripts/prepare-store.mjs [output]
import { mkdtemp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

const output =
  process.argv[2] ?? fileURLToPath(new URL('../dist/store/pgdata.tar.br', import.meta.url));

const work = await mkdtemp(join(tmpdir(), 'pml-prepare-store-'));
try {
  // Must match INITDB_ARGUMENTS in src/store/embedded/pglite-worker.ts.
  const database = await PGlite.create(join(work, 'pg'), {
    initDbStartParams: ['--wal-segsize=1'],
    extensions: { vector },
  });
  // Running its script is a good part of the first start otherwise.
  await database.exec('create extension vector');
  await database.exec('checkpoint');
  const archive = await database.dumpDataDir('none');
  await database.close();
  await mkdir(dirname(output), { recursive: true });
  const draft = `${output}.${process.pid}.tmp`;
  await writeFile(draft, compress(Buffer.from(await archive.arrayBuffer())));
  await rename(draft, output);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** A third of what gzip makes of it: the pages of a database repeat at long distances. */
function compress(bytes) {
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotliCompressSync(bytes, {
    params: {
      [BROTLI_PARAM_QUALITY]: 9,
      [BROTLI_PARAM_LGWIN]: 24,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
