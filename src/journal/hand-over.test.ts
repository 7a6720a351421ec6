import { cp, open, stat } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { note, notesOf, started } from '../../test/fixtures/journal/events.js';
import { A, B, openAt } from '../../test/helpers/journal.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type Disk, type JournalFile, realDisk } from './disk.js';

/** The real disk; the test controls every sync and truncate. */
function watchedDisk(before: (step: 'datasync' | 'truncate') => Promise<void>): Disk {
  const wrap = (file: JournalFile): JournalFile => ({
    write: (...args) => file.write(...args),
    writeNow: (...args) => file.writeNow(...args),
    close: () => file.close(),
    async truncate(bytes) {
      await before('truncate');
      await file.truncate(bytes);
    },
    async datasync() {
      await before('datasync');
      await file.datasync();
    },
  });
  return {
    create: async (path) => wrap(await realDisk.create(path)),
    openExisting: async (path) => wrap(await realDisk.openExisting(path)),
    syncDirectory: (path) => realDisk.syncDirectory(path),
  };
}

const failure = () => Object.assign(new Error('EIO: made to fail'), { code: 'EIO' });

describe('an event that the journal hands to the system', () => {
  test('a handed-over event is readable at once, and by the next process after a kill', async () => {
    await using folder = await temporaryFolder();
    await using copy = await temporaryFolder();
    await using log = await openAt(folder.path);
    await log.append(A, [started(A, 1)]);

    expect(log.handOver([{ run: B, events: [started(B, 2), note('handed')] }])).toBe(true);
    await cp(folder.path, copy.path, { recursive: true });

    expect(notesOf(await log.read(B))).toEqual(['handed']);
    await using next = await openAt(copy.path);
    expect(notesOf(await next.read(B))).toEqual(['handed']);
    expect(next.damaged()).toEqual([]);
  });

  test('a handed-over event is refused before the journal has a file, and when it is large', async () => {
    await using folder = await temporaryFolder();
    await using log = await openAt(folder.path);

    expect(log.handOver([{ run: A, events: [started(A, 1)] }])).toBe(false);
    await log.append(A, [started(A, 1)]);

    expect(log.handOver([{ run: A, events: [note('x'.repeat(100_000))] }])).toBe(false);
    expect(await log.read(A)).toEqual([started(A, 1)]);
  });

  test('events of several runs that are handed over together are in the journal after a crash', async () => {
    await using folder = await temporaryFolder();
    await using copy = await temporaryFolder();
    await using log = await openAt(folder.path);
    await log.append(A, [started(A, 1)]);

    const group = [
      { run: A, events: [note('more')] },
      { run: B, events: [started(B, 2), note('handed')] },
    ];
    expect(log.handOver(group)).toBe(true);
    await cp(folder.path, copy.path, { recursive: true });

    await using next = await openAt(copy.path);
    for (const one of [log, next]) {
      expect(notesOf(await one.read(A))).toEqual(['more']);
      expect(notesOf(await one.read(B))).toEqual(['handed']);
    }
    expect(next.damaged()).toEqual([]);
  });

  test('a handed-over event survives when the write before it fails during its sync', async () => {
    await using folder = await temporaryFolder();
    let onSync = async () => {};
    {
      await using log = await openAt(folder.path, {
        disk: watchedDisk(async (step) => (step === 'datasync' ? onSync() : undefined)),
      });
      await log.append(A, [started(A, 1)]);
      onSync = async () => {
        onSync = async () => {};
        expect(log.handOver([{ run: B, events: [started(B, 2), note('handed')] }])).toBe(true);
        throw failure();
      };

      await expect(log.append(A, [note('refused')])).rejects.toThrow('EIO');
      await log.append(A, [note('accepted')]);

      expect(notesOf(await log.read(B))).toEqual(['handed']);
    }
    await using log = await openAt(folder.path);
    expect(notesOf(await log.read(A))).toEqual(['accepted']);
    expect(notesOf(await log.read(B))).toEqual(['handed']);
    expect(log.damaged()).toEqual([]);
  });

  test('a handed-over event is in the journal once, whatever syncs and truncates fail around it', async () => {
    const faults = fc.array(fc.nat(8), { minLength: 1, maxLength: 10 });

    await fc.assert(
      fc.asyncProperty(faults, fc.boolean(), async (plan, isSmall) => {
        await using folder = await temporaryFolder();
        const queue = [...plan];
        let calls = 0;
        const disk = watchedDisk(async () => {
          if (queue[0] === undefined || calls++ < queue[0]) return;
          queue.shift();
          calls = 0;
          throw failure();
        });
        const accepted: Record<'a' | 'b', string[]> = { a: [], b: [] };
        {
          await using log = await openAt(folder.path, {
            disk,
            segmentBytes: isSmall ? 300 : 10_000,
          });
          for (let round = 0; round < 12; round++) {
            if (round === 11) queue.length = 0;
            const appended = log.append(A, [note(`a${round}`)]).then(
              () => accepted.a.push(`a${round}`),
              () => {},
            );
            for (const turn of [1, 2]) {
              await Promise.resolve();
              if (log.handOver([{ run: B, events: [note(`b${round}${turn}`)] }]))
                accepted.b.push(`b${round}${turn}`);
            }
            await appended;
          }
          expect(notesOf(await log.read(B))).toEqual(accepted.b);
        }
        await using log = await openAt(folder.path);
        expect(notesOf(await log.read(A))).toEqual(accepted.a);
        expect(notesOf(await log.read(B))).toEqual(accepted.b);
        expect(log.damaged()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('a handed-over event that a power cut destroys does not look like damage of synced events', async () => {
    await using folder = await temporaryFolder();
    await using copy = await temporaryFolder();
    await using log = await openAt(folder.path);
    await log.append(A, [started(A, 1), note('kept')]);
    const kept = (await stat(join(folder.path, '000001.log'))).size;
    log.handOver([{ run: B, events: [started(B, 2), note('lost'.repeat(400))] }]);
    // The next write, with a sync that the power cut interrupts.
    await log.append(A, [note('not acknowledged')]);
    await cp(folder.path, copy.path, { recursive: true });
    await zero(join(copy.path, '000001.log'), kept, 1_200);

    await using next = await openAt(copy.path);

    expect(notesOf(await next.read(A))).toEqual(['kept']);
    expect(next.damaged()).toEqual([]);
  });
});

async function zero(path: string, at: number, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(bytes), 0, bytes, at);
  await file.close();
}
