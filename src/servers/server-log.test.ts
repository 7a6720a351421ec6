import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

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
