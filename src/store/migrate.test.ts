import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { installBareStore } from '../../test/helpers/bare-store.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { silentLogger } from '../core/index.js';
import { EmbeddedCluster } from './embedded/embedded-cluster.js';
import { listSnapshots } from './embedded/snapshots.js';
import { storePaths } from './embedded/store-paths.js';
import { migrate, schemaVersion } from './migrate.js';
import { migrations } from './migrations/index.js';

const logger = silentLogger;
const next = migrations.length + 1;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  folder = await temporaryFolder();
  const paths = await installBareStore(folder.path);
  cluster = await EmbeddedCluster.open({ paths, logger, now: () => new Date() });
}, 120_000);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('migrations are numbered from one without gaps', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
});

test('migrate changes nothing when it runs again, even several times at once', async () => {
  await Promise.all([migrate(cluster.db, { logger }), migrate(cluster.db, { logger })]);

  expect(await schemaVersion(cluster.db)).toBe(migrations.length);
  expect(await listSnapshots(storePaths(folder.path)), 'a new database needs no snapshot').toEqual(
    [],
  );
});

test('migrate rolls back the whole step when one of its statements fails', async () => {
  const broken = {
    version: next,
    name: 'broken',
    statements: ['create table half (a int)', 'nonsense'],
  };

  await expect(migrate(cluster.db, { logger, steps: [...migrations, broken] })).rejects.toThrow(
    'nonsense',
  );

  expect(await schemaVersion(cluster.db)).toBe(migrations.length);
  await expect(sql`select * from half`.execute(cluster.db)).rejects.toThrow('half');
});

test('migrate requests a snapshot before it changes data and refuses a database newer than itself', async () => {
  const step = { version: next, name: 'extra', statements: ['create table extra (a int)'] };
  const versionsBefore: number[] = [];
  const beforeChange = async () => void versionsBefore.push(await schemaVersion(cluster.db));

  await migrate(cluster.db, { logger, beforeChange, steps: [...migrations, step] });

  expect(versionsBefore).toEqual([migrations.length]);
  await expect(migrate(cluster.db, { logger })).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining(
      `schema version ${next}, this pml knows versions up to ${next - 1}`,
    ),
  });
});
