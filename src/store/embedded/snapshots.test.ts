import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { isIntact, isSnapshotDue, listSnapshots, writeSnapshot } from './snapshots.js';
import { storePaths } from './store-paths.js';

const onDay = (day: number) => new Date(Date.UTC(2026, 10, day, 12, 30, 15, 7));

async function aCluster(dataDir: string) {
  const paths = storePaths(dataDir);
  await mkdir(paths.cluster, { recursive: true });
  await writeFile(join(paths.cluster, 'PG_VERSION'), '18\n');
  return paths;
}

test('snapshots keep the last three, newest first, each with its checksum', async () => {
  await using folder = await temporaryFolder();
  const paths = await aCluster(folder.path);
  await mkdir(paths.snapshots);
  await writeFile(join(paths.snapshots, 'unfinished.tmp'), 'x');

  for (const day of [1, 2, 3, 4, 5]) await writeSnapshot(paths, onDay(day));

  const kept = await listSnapshots(paths);
  expect(kept.map(({ takenAt }) => takenAt)).toEqual([onDay(5), onDay(4), onDay(3)]);
  expect(await Promise.all(kept.map(isIntact))).toEqual([true, true, true]);
  expect(await readdir(paths.snapshots)).toHaveLength(6);
});

test('snapshot with a changed byte or a missing checksum is not intact', async () => {
  await using folder = await temporaryFolder();
  const paths = await aCluster(folder.path);
  const [changed, bare] = [
    await writeSnapshot(paths, onDay(1)),
    await writeSnapshot(paths, onDay(2)),
  ];
  const bytes = await readFile(changed.path);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  await writeFile(changed.path, bytes);
  await writeFile(`${bare.path}.sha256`, '');

  expect(await isIntact(changed)).toBe(false);
  expect(await isIntact(bare)).toBe(false);
});

test('snapshot is due if there is none, and a day after the newest', () => {
  const existing = [{ path: 'x', takenAt: onDay(2) }];

  expect(isSnapshotDue([], onDay(1))).toBe(true);
  expect(isSnapshotDue(existing, new Date(onDay(3).getTime() - 1))).toBe(false);
  expect(isSnapshotDue(existing, onDay(3))).toBe(true);
});
