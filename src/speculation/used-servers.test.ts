import { expect, test } from 'vitest';

import { type JsonValue, serverName, silentLogger } from '../core/index.js';
import { readUsedServers, UsedServers, type UsedServersFile, withUse } from './used-servers.js';

class MemoryFile implements UsedServersFile {
  value: JsonValue | undefined;
  failure: Error | undefined;

  async read(): Promise<JsonValue | undefined> {
    if (this.failure) throw this.failure;
    return this.value;
  }

  async write(value: JsonValue): Promise<void> {
    this.value = value;
  }
}

test('the servers of each client come back after a restart, the latest first', async () => {
  const file = new MemoryFile();
  const before = new UsedServers(file, silentLogger);
  for (const name of ['git', 'files', 'git']) before.note('claude-code', serverName(name));
  before.note('cursor', serverName('mail'));
  await before.settled();

  const after = new UsedServers(file, silentLogger);

  expect(await after.of('claude-code')).toEqual(['git', 'files']);
  expect(await after.of('cursor')).toEqual(['mail']);
  expect(await after.of('unknown')).toEqual([]);
});

test('what is used before the file was read is not lost to it', async () => {
  const file = new MemoryFile();
  file.value = { one: ['old'] };
  const used = new UsedServers(file, silentLogger);

  used.note('one', serverName('new'));

  expect(await used.of('one')).toEqual(['new', 'old']);
});

test('the memory is bounded, however many clients and servers there are', () => {
  let used = readUsedServers(undefined);
  for (let client = 0; client < 100; client++) {
    for (let server = 0; server < 10; server++) {
      used = withUse(used, `${'x'.repeat(500)}`.slice(client), serverName(`s${server}`));
      used = withUse(used, `client-${client}`, serverName(`s${server}`));
    }
  }

  expect(used.size).toBe(20);
  expect(Math.max(...[...used.keys()].map(({ length }) => length))).toBeLessThanOrEqual(64);
  expect(used.get('client-99')).toEqual(['s9', 's8', 's7', 's6']);
});

test('a file that holds something else is worth no error', async () => {
  const file = new MemoryFile();
  file.failure = new Error('damaged');

  expect(await new UsedServers(file, silentLogger).of('one')).toEqual([]);
  expect(readUsedServers([1])).toEqual(new Map());
  expect(readUsedServers({ one: ['a', 7, 'no__name'], two: 3 })).toEqual(
    new Map([
      ['one', ['a']],
      ['two', []],
    ]),
  );
});
