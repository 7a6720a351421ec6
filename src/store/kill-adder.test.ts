import { once } from 'node:events';

import { expect, test } from 'vitest';

import { countTools } from '../../test/helpers/count-tools.js';
import { forkScript } from '../../test/helpers/fork-script.js';
import { startPostgres } from '../../test/helpers/postgres-server.js';
import { storeTemplate } from '../../test/helpers/store-template.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { silentLogger as logger } from '../core/index.js';
import { createEmbeddedStore } from './embedded/embedded-store.js';
import { createPostgresStore } from './postgres/postgres-store.js';
import type { Store } from './store.js';

async function expectOnlyBefore({ experience, graph }: Store): Promise<void> {
  expect((await experience.load({ limit: 10 })).map(({ id }) => id)).toEqual(['before']);
  expect((await graph.load()).nodes).toMatchObject([{ id: 'files:read', calls: 1 }]);
  expect(await graph.isComplete()).toBe(true);
  expect(await graph.rebuild(countTools)).toEqual({ executions: 1, differing: 0 });
}

test('a process killed between executions and graph leaves neither, embedded', async () => {
  await using folder = await temporaryFolder();
  const template = await storeTemplate();
  await using writer = forkScript('store/killed-adder.ts', [folder.path, template]);
  expect(await once(writer.child, 'exit')).toEqual([null, 'SIGKILL']);

  await using store = await createEmbeddedStore({ dataDir: folder.path, logger, template });

  await expectOnlyBefore(store);
}, 60_000);

const server = await startPostgres();

test.skipIf(typeof server === 'string')(
  'a process killed between executions and graph leaves neither, on PostgreSQL',
  async () => {
    await using postgres = server as Exclude<typeof server, string>;
    await using writer = forkScript('store/killed-adder.ts', [postgres.url]);
    expect(await once(writer.child, 'exit')).toEqual([null, 'SIGKILL']);

    await using store = await createPostgresStore({ url: postgres.url, logger });

    await expectOnlyBefore(store);
  },
  60_000,
);
