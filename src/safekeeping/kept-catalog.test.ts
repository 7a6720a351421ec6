import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { catalogTool } from '../../test/helpers/catalog-tool.js';
import { recordingLogger } from '../../test/helpers/ready-discovery.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type CatalogServer, serverName } from '../core/index.js';
import { FileCatalog } from './kept-catalog.js';

const SEEN = new Date(Date.UTC(2026, 1, 1));
const tool = catalogTool('mail:send', 'Send a mail');

const serverOf = (name: string, lastSeen = SEEN): CatalogServer => ({
  name: serverName(name),
  configHash: 'hash',
  listing: {
    capabilities: {},
    serverInfo: {},
    resources: [],
    resourceTemplates: [],
    prompts: [],
  },
  eras: ['legacy'],
  probedAt: SEEN,
  firstSeen: SEEN,
  lastSeen,
});

test('the next process reads the lists of every server that was saved and not removed', async () => {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, 'catalog');
  const open = () => new FileCatalog(directory, recordingLogger());
  const files = open();
  void files.save({ server: serverOf('mail'), tools: [tool] });
  void files.save({ server: serverOf('gone'), tools: [] });
  await files.remove(serverName('gone'));

  expect(await open().load()).toEqual({ servers: [serverOf('mail')], tools: [tool] });
});

test('a list that was only seen again is not written again', async () => {
  await using folder = await temporaryFolder();
  const files = new FileCatalog(folder.path, recordingLogger());
  await files.save({ server: serverOf('mail'), tools: [tool] });
  const [name = ''] = await readdir(folder.path);
  await writeFile(join(folder.path, name), 'untouched');

  await files.save({ server: serverOf('mail', new Date()), tools: [tool] });
  await expect(files.load()).resolves.toBeUndefined();
  await files.save({ server: serverOf('mail'), tools: [{ ...tool, status: 'blocked' }] });

  expect((await files.load())?.tools).toMatchObject([{ status: 'blocked' }]);
});

test('a damaged file makes the store decide, with a warning', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'half.json'), '{"for');
  const log = recordingLogger();

  expect(await new FileCatalog(folder.path, log).load()).toBeUndefined();
  expect(log.warnings).toEqual([expect.stringContaining('read from the store')]);
});

test('a folder that is missing is no fault', async () => {
  const log = recordingLogger();

  expect(await new FileCatalog('/nowhere/at/all', log).load()).toBeUndefined();
  expect(log.warnings).toEqual([]);
});
