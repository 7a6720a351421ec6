import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';

import { expect, onTestFinished, test, vi } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { maskSecrets, serverName } from '../core/index.js';
import { ServerLog } from './server-log.js';

const mask = (line: string) => maskSecrets(line, ['correct horse']);

test('ServerLog keeps the lines of two processes of one server apart', async () => {
  await using folder = await temporaryFolder();
  const log = new ServerLog(folder.path, serverName('s'), mask);
  const [one, other] = [log.openLines(), log.openLines()];

  one.write(Buffer.from('one says correct'));
  other.write(Buffer.from('other begins -----BEGIN PRIVATE KEY-----\nMIIabc\n'));
  one.write(Buffer.from(' horse\nfine\n'));
  other.end();
  one.write(Buffer.from('the rest'));
  log.close();

  await expect
    .poll(() => readFileSync(log.path, 'utf8'))
    .toBe('other begins ***\n***\none says ***\nfine\nthe rest\n');
});

test('ServerLog reopens its file after a failed attempt to open it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using folder = await temporaryFolder();
  const log = new ServerLog(folder.path, serverName('s'), mask);
  // A folder of that name cannot be opened as a file.
  mkdirSync(log.path);

  log.note('lost');
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  log.note('dropped');
  rmdirSync(log.path);
  vi.runOnlyPendingTimers();
  log.note('kept');
  log.close();

  await expect.poll(() => readFileSync(log.path, 'utf8')).toBe('\n[8 bytes dropped]\nkept\n');
});

test('ServerLog recreates its folder after it was removed', async () => {
  await using folder = await temporaryFolder();
  const log = new ServerLog(`${folder.path}/logs`, serverName('s'), mask);
  rmSync(`${folder.path}/logs`, { recursive: true });

  log.note('kept');
  log.close();

  await expect.poll(() => readFileSync(log.path, 'utf8')).toBe('kept\n');
});
