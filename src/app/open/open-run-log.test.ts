import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { MemoryRunLog } from '../../../test/helpers/memory-run-log.js';
import { recordingLogger } from '../../../test/helpers/ready-discovery.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { openRunLog } from './open-run-log.js';

const configOf = (dataDir: string, database: string) => ({ dataDir, file: { database } });
const never = new Promise<undefined>(() => {});

test('openRunLog opens the journal of an embedded store before the store is open', async () => {
  await using folder = await temporaryFolder();

  await using log = await openRunLog(configOf(folder.path, 'embedded'), never, recordingLogger());

  expect(await log.list({ limit: 1 })).toEqual([]);
  expect(existsSync(join(folder.path, 'journal'))).toBe(true);
});

test('openRunLog keeps the journal of a shared database in that database', async () => {
  const runLog = new MemoryRunLog();
  const store = Promise.resolve({ runLog });

  const log = await openRunLog(configOf('/nowhere', 'postgres://x'), store, recordingLogger());

  expect(log).toBe(runLog);
});

test('openRunLog falls back to a journal file with a warning while a shared database is unreachable', async () => {
  await using folder = await temporaryFolder();
  const logger = recordingLogger();
  const config = configOf(folder.path, 'postgres://x');

  await using log = await openRunLog(config, Promise.resolve(undefined), logger);

  expect(await log.list({ limit: 1 })).toEqual([]);
  expect(logger.warnings).toEqual([expect.stringContaining('runs are kept in the data directory')]);
});
