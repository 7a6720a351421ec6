import { Worker } from 'node:worker_threads';

import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { type Logger, silentLogger } from '../../core/index.js';
import { createStoreFolder, ensureDataDirectory } from './data-directory.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { storePaths } from './store-paths.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cluster: EmbeddedCluster;
const warnings: string[] = [];
const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };

beforeAll(async () => {
  folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  cluster = await EmbeddedCluster.open({ paths, logger, now: () => new Date() });
  await sql`create table kept (value int)`.execute(cluster.db);
}, 120_000);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

afterEach(() => vi.restoreAllMocks());

const add = (value: number) => sql`insert into kept values (${value}::int)`.execute(cluster.db);
const values = async () => {
  const { rows } = await sql<{ value: number }>`select value from kept order by value`.execute(
    cluster.db,
  );
  return rows.map(({ value }) => value);
};

/** Ends the database thread at its next request. */
function killAtNextRequest(): void {
  // oxlint-disable-next-line unbound-method -- called with `apply` below
  const { postMessage } = Worker.prototype;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (
    this: Worker,
    ...args: Parameters<typeof postMessage>
  ) {
    void this.terminate();
    return postMessage.apply(this, args);
  });
}

test('database whose thread died is reopened for the next request with all its data', async () => {
  await add(1);
  killAtNextRequest();

  await expect(values()).rejects.toThrow('stopped unexpectedly');

  expect(await values()).toEqual([1]);
  await add(2);
  expect(await values()).toEqual([1, 2]);
  expect(warnings).toContain('the embedded database stopped and was opened again');
});

test('transaction in which the database dies is rolled back as a whole', async () => {
  const dying = cluster.db.transaction().execute(async (trx) => {
    await sql`insert into kept values (3)`.execute(trx);
    killAtNextRequest();
    await sql`insert into kept values (4)`.execute(trx).catch(() => {
      // Like a caller that treats it as an ordinary failed statement.
    });
    await sql`insert into kept values (5)`.execute(trx);
  });

  await expect(dying).rejects.toThrow('stopped unexpectedly');
  expect(await values()).toEqual([1, 2]);
});

test('invalid statement rejects for its caller only and does not stop the database', async () => {
  warnings.length = 0;

  await expect(sql`select nothing from nowhere`.execute(cluster.db)).rejects.toThrow('nowhere');

  expect(await values()).toEqual([1, 2]);
  expect(warnings).toEqual([]);
});

test('invalid statement whose error quotes words of the engine does not close the database', async () => {
  warnings.length = 0;

  await expect(
    sql`select ${'unreachable, memory access out of bounds'}::text::int`.execute(cluster.db),
  ).rejects.toMatchObject({ code: '22P02' });
  await values();

  expect(warnings).toEqual([]);
});

test('closed database stays closed', async () => {
  await cluster[Symbol.asyncDispose]();

  await expect(values()).rejects.toThrow('closed');
});
