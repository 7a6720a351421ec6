import { once } from 'node:events';

import { expect, test } from 'vitest';

import { forkScript, killHard } from '../../test/helpers/fork-script.js';
import { storeTemplate } from '../../test/helpers/store-template.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { silentLogger } from '../core/index.js';
import { createEmbeddedStore } from './embedded/embedded-store.js';

/** How many saves to wait for before the kill: from the first write to many writes later. */
const ACKNOWLEDGED_PER_ROUND = [1, 40, 2, 90, 7];

test('store has every acknowledged save each time its process was killed while writing', async () => {
  await using folder = await temporaryFolder();
  const template = await storeTemplate();
  const acknowledged: number[] = [];

  for (const count of ACKNOWLEDGED_PER_ROUND) {
    const first = String((acknowledged.at(-1) ?? -1) + 1_000);
    await using writer = forkScript('store/endless-writer.ts', [folder.path, template, first]);
    for (let seen = 0; seen < count; seen += 1) {
      const [number] = (await once(writer.child, 'message')) as [number];
      acknowledged.push(number);
    }
    await killHard(writer.child);
  }

  await using store = await createEmbeddedStore({
    dataDir: folder.path,
    logger: silentLogger,
    template,
  });
  const kept = new Set<string>(
    (await store.catalog.changes({ limit: 100_000 })).map(({ tool }) => tool),
  );
  const lost = acknowledged.filter((number) => !kept.has(`writer:tool-${number}`));
  expect(lost).toEqual([]);
  expect((await store.catalog.load()).tools).toHaveLength(1);
}, 180_000);
