import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { silentLogger } from '../core/index.js';
import { ChildRecords } from './child-records.js';
import { isGroupAlive, signalGroup } from './kill-group.js';

/** Leads its own process group, as servers do. */
async function startChild(script: string): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child, 'spawn');
  return { child, pid: child.pid as number };
}

test('ChildRecords ends a recorded living process and deletes its record', async () => {
  await using folder = await temporaryFolder();
  const { child, pid } = await startChild('exec sleep 600');
  new ChildRecords(folder.path).add(pid, 'a');
  const ended = once(child, 'exit');

  expect(new ChildRecords(folder.path).reap(silentLogger)).toBe(1);

  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('ChildRecords spares another process that reuses the pid of a dead child', async () => {
  await using folder = await temporaryFolder();
  const { child, pid } = await startChild('exec sleep 600');
  const records = new ChildRecords(folder.path);
  records.add(pid, 'a');
  const file = join(folder.path, `${pid}.json`);
  const record = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...record, identity: 'of another time' }));

  expect(records.reap(silentLogger)).toBe(0);

  expect(child.exitCode).toBeNull();
  expect(isGroupAlive(pid)).toBe(true);
  signalGroup(pid, 'SIGKILL');
});

test.runIf(process.platform === 'linux')('ChildRecords ends a leaderless group', async () => {
  await using folder = await temporaryFolder();
  const { child, pid } = await startChild('sleep 600 & echo up; read line; exit 0');
  if (!child.stdout || !child.stdin) throw new Error('no pipes');
  await once(child.stdout, 'data');
  const records = new ChildRecords(folder.path);
  records.add(pid, 'a');
  const ended = once(child, 'exit');
  child.stdin.end('\n');
  await ended;
  expect(isGroupAlive(pid)).toBe(true);
  // The process that the leader left behind is the last to hold our pipe.
  const closed = once(child.stdout, 'close');

  expect(records.reap(silentLogger)).toBe(1);

  await closed;
  expect(readdirSync(folder.path)).toEqual([]);
});

test('ChildRecords removes a truncated record', async () => {
  await using folder = await temporaryFolder();
  const records = new ChildRecords(folder.path);
  writeFileSync(join(folder.path, '12.json'), '{"pid": 12, "ident');
  writeFileSync(join(folder.path, '1.json'), '{"pid": 1, "identity": "x"}');

  expect(records.reap(silentLogger)).toBe(0);
  expect(readdirSync(folder.path)).toEqual([]);
});
