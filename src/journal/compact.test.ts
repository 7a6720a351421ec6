import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  answered,
  checkpoint,
  finished,
  note,
  notesOf,
  started,
} from '../../test/fixtures/journal/events.js';
import { A, B, openAt } from '../../test/helpers/journal.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { runId } from '../core/index.js';
import { chooseRanges } from './compact.js';

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('space', () => {
  test('compaction frees the space of forgotten runs and keeps the rest readable, also after reopening', async () => {
    await using folder = await temporaryFolder();
    const log = await openAt(folder.path, { segmentBytes: 5_000 });
    const runs = Array.from({ length: 60 }, (_, at) => runId(`run ${at}`));
    for (const [at, run] of runs.entries()) {
      await log.append(run, [started(run, at), answered('x'.repeat(1_000))]);
      if (at % 6 > 0) await log.append(run, [finished(at)]);
    }
    const before = await bytesIn(folder.path);

    expect(await log.prune({ keepRuns: 2, endedBefore: 0 })).toBe(48);

    expect(await bytesIn(folder.path)).toBeLessThan(before * 0.3);
    const left = await log.list({ limit: 99 });
    expect(left).toHaveLength(12);
    for (const run of left) expect(await log.read(run)).not.toEqual([]);
    await log[Symbol.asyncDispose]();
    await using reopened = await openAt(folder.path);
    expect(await reopened.list({ limit: 99 })).toEqual(left);
    expect(reopened.damaged()).toEqual([]);
  });

  test('compaction frees the space of events that checkpoints replaced while the run goes on', async () => {
    await using folder = await temporaryFolder();
    const log = await openAt(folder.path, { segmentBytes: 20_000 });
    await log.append(B, [started(B, 1), note('old and still needed')]);
    await log.append(A, [started(A, 2)]);

    for (let round = 0; round < 200; round++) {
      await log.append(A, [answered('y'.repeat(2_000))]);
      if (round % 5 === 4) await log.append(A, [checkpoint(A, 2, { context: { round } })]);
    }

    await log[Symbol.asyncDispose]();
    expect(await bytesIn(folder.path)).toBeLessThan(100_000);
    await using reopened = await openAt(folder.path);
    expect(await reopened.read(A)).toEqual([checkpoint(A, 2, { context: { round: 199 } })]);
    expect(notesOf(await reopened.read(B))).toEqual(['old and still needed']);
    expect(reopened.damaged()).toEqual([]);
  });

  test('compaction during concurrent writes and reads loses nothing', async () => {
    await using folder = await temporaryFolder();
    const log = await openAt(folder.path, { segmentBytes: 2_000 });
    const runs = Array.from({ length: 12 }, (_, at) => runId(`run-${at}`));

    const writing = runs.map(async (run, at) => {
      await log.append(run, [started(run, at)]);
      for (let round = 0; round < 40; round++) {
        const isFold = round % 10 === 9;
        await log.append(run, [
          isFold ? checkpoint(run, at, { context: { round } }) : note(`${run} ${round}`),
        ]);
      }
    });
    for (let extra = 0; extra < 12; extra++) {
      const run = runId(`extra-${extra}`);
      await log.append(run, [started(run, 100 + extra), finished(extra)]);
      expect(await log.prune({ keepRuns: 0, endedBefore: 0 })).toBe(1);
      for (const one of runs) await log.read(one);
    }
    await Promise.all(writing);

    for (const [at, run] of runs.entries()) {
      expect(await log.read(run)).toEqual([checkpoint(run, at, { context: { round: 39 } })]);
    }
    await log[Symbol.asyncDispose]();
    await using reopened = await openAt(folder.path);
    expect(await reopened.claim()).toEqual(runs);
    expect(reopened.damaged()).toEqual([]);
  });

  test('compaction does not revive forgotten runs whose events are in older segments', async () => {
    await using folder = await temporaryFolder();
    {
      await using log = await openAt(folder.path, { segmentBytes: 5_000 });
      await log.append(A, [started(A, 1), finished(2)]);
      await log.append(B, [started(B, 3), answered('still needed '.repeat(500))]);
      const passing = runId('passing');
      await log.append(passing, [started(passing, 4), answered('x'.repeat(4_000)), finished(5)]);

      expect(await log.prune({ keepRuns: 0, endedBefore: 0 })).toBe(2);
    }
    expect(await readdir(folder.path)).toEqual(['000001.log', '000002-000002.1.log']);

    await using log = await openAt(folder.path);

    expect(await log.list({ limit: 9 })).toEqual([B]);
  });

  test('a forgotten run may be started again', async () => {
    await using folder = await temporaryFolder();
    const log = await openAt(folder.path, { segmentBytes: 100 });
    await log.append(B, [started(B, 1)]);
    await log.append(A, [started(A, 2), finished(3)]);
    await log.prune({ keepRuns: 0, endedBefore: 0 });

    await log.append(A, [started(A, 9), note('second life')]);

    await log[Symbol.asyncDispose]();
    await using reopened = await openAt(folder.path);
    expect(notesOf(await reopened.read(A))).toEqual(['second life']);
    expect(await reopened.claim()).toEqual([B, A]);
  });

  test('an interrupted compaction leaves no draft behind and duplicates no event', async () => {
    await using folder = await temporaryFolder();
    {
      await using log = await openAt(folder.path, { segmentBytes: 100 });
      await log.append(A, [started(A, 1), note('once')]);
      await log.append(B, [started(B, 2), finished(3)]);
    }
    const old = await Promise.all(
      (await readdir(folder.path)).map(
        async (name) => [name, await readFile(join(folder.path, name))] as const,
      ),
    );
    {
      await using log = await openAt(folder.path, { segmentBytes: 100 });
      await log.prune({ keepRuns: 0, endedBefore: 0 });
    }
    const rewritten = (await readdir(folder.path)).filter((name) => name.includes('-'));
    expect(rewritten.length).toBeGreaterThan(0);
    for (const [name, bytes] of old) await writeFile(join(folder.path, name), bytes);
    await writeFile(join(folder.path, '000001-000009.7.log.draft'), 'half');

    await using log = await openAt(folder.path, { segmentBytes: 100 });

    expect(notesOf(await log.read(A))).toEqual(['once']);
    expect(await log.list({ limit: 9 })).toEqual([A]);
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });
});

test('compaction chooses ranges that are sorted, adjacent, not fixed, and worth rewriting', () => {
  const use = fc.record({
    size: fc.nat(2_000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    isFixed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 30 }), (sizes) => {
      const uses = sizes.map(({ size, share, isFixed }, at) => ({
        from: at + 1,
        to: at + 1,
        bytes: size,
        liveBytes: Math.floor(size * share),
        isFixed,
      }));

      const ranges = chooseRanges(uses, 1_000);

      expect(ranges.flat()).toEqual([...new Set(ranges.flat())].toSorted((a, b) => a - b));
      for (const range of ranges) {
        expect(range.at(-1)! - range[0]!).toBe(range.length - 1);
        expect(range.some((at) => uses[at]!.isFixed)).toBe(false);
        const sum = (of: 'bytes' | 'liveBytes') =>
          range.reduce((total, at) => total + uses[at]![of], 0);
        expect(range.length >= 8 || sum('liveBytes') * 2 <= sum('bytes')).toBe(true);
        expect(range.length >= 8 || sum('liveBytes') < sum('bytes')).toBe(true);
      }
    }),
  );
});
