import { join } from 'node:path';

import { expect, test } from 'vitest';

import { memoryStores } from '../../test/helpers/memory-stores.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { learnedFile } from '../app/open/data-files.js';
import { type RankingModel, silentLogger } from '../core/index.js';
import { keptModels } from './kept-models.js';

const model = (id: string, minute: number, status: RankingModel['status']): RankingModel => ({
  id,
  at: new Date(Date.UTC(2026, 1, 1, 1, minute)),
  parameters: { kind: 'learned', weights: [1, 2] },
  metric: { remembered: 20 },
  status,
});

test('new store gets back the learned models, and the active one stays active', async () => {
  await using folder = await temporaryFolder();
  const open = () => {
    const { ranking } = memoryStores();
    return keptModels({ file: learnedFile(folder.path), ranking, log: silentLogger });
  };
  const before = open();
  await before.saveModel(model('first', 1, 'active'));
  await before.saveModel(model('second', 2, 'active'));
  const known = await before.models({ limit: 20 });

  const after = await open().models({ limit: 20 });

  expect(after).toEqual(known);
  expect(after.find(({ status }) => status === 'active')?.id).toBe('second');
});

test('damaged model file is reported and does not keep the store from working', async () => {
  await using folder = await temporaryFolder();
  const warnings: string[] = [];
  const file = learnedFile(join(folder.path, 'missing'));
  const { ranking } = memoryStores();
  const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const kept = keptModels({ file, ranking, log });

  await kept.saveModel(model('first', 1, 'active'));

  expect(await kept.models({ limit: 5 })).toHaveLength(1);
  expect(warnings).toEqual(['learned models not kept outside the store']);
});
