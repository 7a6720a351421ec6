import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { describeCapabilityStore } from '../../../test/conformance/capability-store.js';
import { describeCatalogStore } from '../../../test/conformance/catalog-store.js';
import { describeEmbeddingStore } from '../../../test/conformance/embedding-store.js';
import { describeEpisodeStore } from '../../../test/conformance/episode-store.js';
import { aTrace, describeExperienceStore } from '../../../test/conformance/experience-store.js';
import { describeGraphStore } from '../../../test/conformance/graph-store.js';
import { describeOutputStore } from '../../../test/conformance/output-store.js';
import { describeRankingStore } from '../../../test/conformance/ranking-store.js';
import { describeResultStore } from '../../../test/conformance/result-store.js';
import { countTools } from '../../../test/helpers/count-tools.js';
import { startPostgres } from '../../../test/helpers/postgres-server.js';
import { runId, silentLogger, type ToolId } from '../../core/index.js';
import { migrations } from '../migrations/index.js';
import type { Store } from '../store.js';
import { createPostgresStore } from './postgres-store.js';

const server = await startPostgres();
const isMissing = typeof server === 'string';
const skipped = isMissing ? `, skipped: ${server}` : '';

describe.skipIf(isMissing)(`PostgreSQL${skipped}`, () => {
  const url = isMissing ? '' : server.url;
  let stores: readonly Store[] = [];
  const store = () => stores[0]!;

  beforeAll(async () => {
    // Several at once, as when machines start together: each must find a complete schema.
    stores = await Promise.all(
      Array.from({ length: 3 }, () => createPostgresStore({ url, logger: silentLogger })),
    );
  });

  afterAll(async () => {
    for (const each of stores) await each[Symbol.asyncDispose]();
    if (!isMissing) await server[Symbol.asyncDispose]();
  });

  describeCatalogStore('PostgreSQL', () => store().catalog);
  describeEmbeddingStore('PostgreSQL', () => store().embeddings);
  describeEpisodeStore('PostgreSQL', () => store().episodes);
  describeExperienceStore('PostgreSQL', () => store().experience);
  describeGraphStore('PostgreSQL', () => store());
  describeRankingStore('PostgreSQL', () => store().ranking);
  describeOutputStore('PostgreSQL', () => store().outputs);
  describeCapabilityStore('PostgreSQL', () => store().capabilities);
  describeResultStore('PostgreSQL', () => store().results);

  test('PostgreSQL store counts every execution once when several machines add the same at once', async () => {
    const tools = Array.from({ length: 40 }, (_, place) => `many:t${place}` as ToolId);
    const traces = Array.from({ length: 300 }, (_, place) =>
      aTrace(`shared-${place}`, {
        run: runId(`shared-run-${place}`),
        calls: [0, 7, 13].map((step) => ({
          tool: tools[(place * 3 + step) % tools.length]!,
          ok: true,
          ms: 1,
        })),
      }),
    );
    const parts = [traces, traces.toReversed(), [...traces.slice(150), ...traces.slice(0, 150)]];
    const adding = parts.flatMap((part, machine) =>
      Array.from({ length: 10 }, (_, round) =>
        stores[machine]!.experience.add(part.slice(round * 30, (round + 2) * 30), countTools),
      ),
    );
    const rebuilding = stores[2]!.graph.rebuild(countTools);

    const added = (await Promise.all(adding)).flat();
    const during = await rebuilding;

    expect(added.toSorted()).toEqual(traces.map(({ id }) => id).toSorted());
    expect(during.differing).toBe(0);
    const { nodes } = await store().graph.load();
    const calls = nodes.filter(({ id }) => id.startsWith('many:')).map((node) => node.calls);
    expect(calls.reduce((sum, one) => sum + one)).toBe(900);
    expect(await store().graph.rebuild(countTools)).toMatchObject({ differing: 0 });
  }, 60_000);

  test('PostgreSQL store reports engine, versions, size and counts as numbers', async () => {
    expect(await store().info()).toEqual({
      engine: 'postgres',
      version: expect.any(String),
      sizeBytes: expect.any(Number),
      schemaVersion: migrations.length,
      counts: {
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
      },
    });
  });

  test('PostgreSQL store leaves snapshots to the server and closes twice without harm', async () => {
    const other = await createPostgresStore({ url, logger: silentLogger });

    expect(await other.snapshot()).toBeUndefined();
    await other.checkpoint();
    await other[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
});

describe('createPostgresStore', () => {
  test('createPostgresStore names the unreachable server without the password', async () => {
    const opening = createPostgresStore({
      url: 'postgres://me:hunter2@127.0.0.1:1/tools',
      logger: silentLogger,
    });

    const error = await opening.catch((reason: unknown) => reason);

    expect(error).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('127.0.0.1:1/tools'),
    });
    expect(JSON.stringify([String(error), error])).not.toContain('hunter2');
  });

  test.each([
    'hunter2@somewhere',
    'me:hunter2@somewhere/tools',
    'mysql://me:hunter2@somewhere/tools',
  ])('createPostgresStore does not repeat an invalid address: %s', async (url) => {
    const opening = createPostgresStore({ url, logger: silentLogger });

    const error = await opening.catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    expect(String(error)).not.toContain('hunter2');
  });
});
