import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeCapabilityStore } from '../../../test/conformance/capability-store.js';
import { describeCatalogStore } from '../../../test/conformance/catalog-store.js';
import { describeEmbeddingStore } from '../../../test/conformance/embedding-store.js';
import { describeEpisodeStore } from '../../../test/conformance/episode-store.js';
import { describeExperienceStore } from '../../../test/conformance/experience-store.js';
import { describeGraphStore } from '../../../test/conformance/graph-store.js';
import { describeOutputStore } from '../../../test/conformance/output-store.js';
import { describeRankingStore } from '../../../test/conformance/ranking-store.js';
import { describeResultStore } from '../../../test/conformance/result-store.js';
import { aChange, aServer, aTool } from '../../../test/fixtures/store/samples.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { silentLogger } from '../../core/index.js';
import { migrations } from '../migrations/index.js';
import type { Store } from '../store.js';
import { createEmbeddedStore } from './embedded-store.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let template: string;
let store: Store;

const reopen = async () => {
  await store[Symbol.asyncDispose]();
  store = await createEmbeddedStore({ dataDir: folder.path, logger: silentLogger, template });
};

beforeAll(async () => {
  folder = await temporaryFolder();
  template = await storeTemplate();
  store = await createEmbeddedStore({ dataDir: folder.path, logger: silentLogger, template });
}, 120_000);

afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describeCatalogStore('PGlite', () => store.catalog);
describeEmbeddingStore('PGlite', () => store.embeddings);
describeEpisodeStore('PGlite', () => store.episodes);
describeExperienceStore('PGlite', () => store.experience);
describeGraphStore('PGlite', () => store);
describeRankingStore('PGlite', () => store.ranking);
describeOutputStore('PGlite', () => store.outputs);
describeCapabilityStore('PGlite', () => store.capabilities);
describeResultStore('PGlite', () => store.results);

test('embedded store reports engine, versions, size and counts', async () => {
  const info = await store.info();

  expect(info).toMatchObject({
    engine: 'pglite',
    version: expect.stringMatching(/^18\./),
    schemaVersion: migrations.length,
  });
  expect(info.sizeBytes).toBeGreaterThan(1_000_000);
  expect(info.counts).toEqual({
    server: expect.any(Number),
    tool: expect.any(Number),
    tool_change: expect.any(Number),
    embedding: expect.any(Number),
    execution_trace: expect.any(Number),
    algorithm_trace: expect.any(Number),
    ranking_model: expect.any(Number),
    tool_output: expect.any(Number),
    run: expect.any(Number),
    capability: expect.any(Number),
    graph_node: expect.any(Number),
    graph_edge: expect.any(Number),
  });
});

test('embedded store saves no observed output if one of them is invalid', async () => {
  const before = await store.outputs.load();
  const output = { tool: aTool('files', 'new').id, definitionHash: 'h', schema: {} };
  const [sound, unsound] = [
    { ...output, observations: 1 },
    { ...output, tool: aTool('files', 'wrong').id, observations: -1 },
  ];

  await expect(store.outputs.save([sound, unsound])).rejects.toMatchObject({
    code: 'STORE_FAILED',
  });

  expect(await store.outputs.load()).toEqual(before);
});

test('embedded store keeps its files readable by the owner only', async () => {
  const modes = await Promise.all(
    ['store', 'store/pg', 'store/pg/PG_VERSION', 'store/owner.lock'].map(async (name) => {
      const { mode } = await stat(join(folder.path, name));
      return mode & 0o777;
    }),
  );

  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

test('embedded store finds everything again after closing, and closing twice is harmless', async () => {
  const tool = aTool('durable', 'tool');
  await store.catalog.save({ server: aServer('durable'), tools: [tool], changes: [aChange(tool)] });
  const before = await store.catalog.load();

  await store[Symbol.asyncDispose]();
  await reopen();

  expect(await store.catalog.load()).toEqual(before);
});

test('closed embedded store rejects requests with a plain reason', async () => {
  const closed = store;
  await reopen();

  await expect(closed.catalog.load()).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: 'The store is closed',
  });
});

test('embedded store refuses a second store on the same directory and names the owner', async () => {
  const second = createEmbeddedStore({ dataDir: folder.path, logger: silentLogger, template });

  await expect(second).rejects.toMatchObject({
    code: 'DATA_DIR_IN_USE',
    message: expect.stringContaining(`Process ${process.pid} already uses this data directory`),
  });
  await expect(second).rejects.toThrow(folder.path);
});

test('closing an embedded store waits for pending tidying and loses nothing', async () => {
  const tools = [aTool('tidied', 'tool')];
  await store.catalog.save({ server: aServer('tidied'), tools, changes: [] });
  const done: string[] = [];
  const tidying = store.tidy().then(() => done.push('tidied'));

  await store[Symbol.asyncDispose]();
  done.push('closed');
  await tidying;
  await store.tidy(); // The store is closed: nothing to do.
  await reopen();

  expect(done).toEqual(['tidied', 'closed']);
});

test('embedded store runs tidying, upkeep and checkpoints at the same time without conflicts', async () => {
  await expect(
    Promise.all([store.tidy(), store.checkpoint(), store.tidy(), store.checkpoint()]),
  ).resolves.toBeDefined();
});
