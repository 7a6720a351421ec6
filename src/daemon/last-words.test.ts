import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { explainDeath, lastWords } from './last-words.js';

const died = { pid: 42, isAlive: false, isOfThisBoot: true };
const ready = '2026-01-01T00:00:00.000Z INFO  daemon ready pid=42 version=0.1.0\n';

test.each([
  [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'memory ran out',
  ],
  ['#\n# Fatal process OOM in Failed to reserve virtual memory for CodeRange\n#', 'no more memory'],
  ['memory allocation of 160 bytes failed', 'memory ran out'],
  ['# Fatal error in , line 0', 'Node ended it'],
])('the next daemon repeats why Node ended the one before: %s', (words, why) => {
  const told = explainDeath(died, `${ready}${words}\n`);

  expect(told).toContain('pid 42');
  expect(told).toContain(why);
  expect(told).not.toContain('without saying why');
});

test('a daemon that was killed ended without saying why, and the reader hears where to look', () => {
  const told = explainDeath(died, ready);

  expect(told).toMatch(/pid 42\) ended without saying why.*kill -9.*dmesg/s);
});

test('the reason for the end of an earlier daemon is not reported for this one', () => {
  const earlier = 'FATAL ERROR: heap out of memory\n';

  expect(explainDeath(died, `${earlier}${ready}`)).toContain('without saying why');
});

test('a daemon that ended with the machine was not killed', () => {
  expect(explainDeath({ ...died, isOfThisBoot: false }, ready)).toContain('ended with the machine');
});

test('the last words are the end of the log, and nothing where there is none', async () => {
  await using folder = await temporaryFolder();
  expect(lastWords(folder.path)).toBe('');

  mkdirSync(join(folder.path, 'logs'));
  writeFileSync(join(folder.path, 'logs', 'daemon.log'), `${'x'.repeat(100_000)}the end`);

  expect(lastWords(folder.path)).toMatch(/^x+the end$/);
  expect(lastWords(folder.path).length).toBeLessThan(20_000);
});
