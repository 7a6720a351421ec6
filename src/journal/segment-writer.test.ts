import { readdir } from 'node:fs/promises';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { note, notesOf, started } from '../../test/fixtures/journal/events.js';
import { A, B, listeningLogger, openAt } from '../../test/helpers/journal.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type Disk, type JournalFile, realDisk } from './disk.js';

type Step = 'create' | 'write' | 'datasync' | 'truncate' | 'syncDirectory';

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made to fail`), { code });
}

/** The real disk, but the test decides whether each step fails; a failing write writes a part. */
function unreliableDisk(fails: (step: Step) => boolean): Disk {
  const check = (step: Step) => {
    if (fails(step)) throw failure(step === 'write' ? 'ENOSPC' : 'EIO');
  };
  const wrap = (file: JournalFile): JournalFile => ({
    async write(bytes, from, length, at) {
      // Half of it is written, as on a disk that is nearly full.
      if (!fails('write')) return file.write(bytes, from, length, at);
      await file.write(bytes, from, Math.ceil(length / 2), at);
      throw failure('ENOSPC');
    },
    writeNow(bytes, at) {
      if (!fails('write')) return file.writeNow(bytes, at);
      file.writeNow(bytes.subarray(0, Math.ceil(bytes.length / 2)), at);
      throw failure('ENOSPC');
    },
    async truncate(bytes) {
      check('truncate');
      await file.truncate(bytes);
    },
    async datasync() {
      check('datasync');
      await file.datasync();
    },
    close: () => file.close(),
  });
  return {
    async create(path) {
      check('create');
      return wrap(await realDisk.create(path));
    },
    openExisting: async (path) => wrap(await realDisk.openExisting(path)),
    async syncDirectory(path) {
      check('syncDirectory');
      await realDisk.syncDirectory(path);
    },
  };
}

describe('a write that fails', () => {
  test('a failed write names the file, the cause and the remedy, leaves nothing, and the next one works', async () => {
    await using folder = await temporaryFolder();
    const failing = new Set<Step>();
    const disk = unreliableDisk((step) => failing.has(step));
    {
      await using log = await openAt(folder.path, { disk });
      await log.append(A, [started(A, 1)]);
      failing.add('write');

      const refused = log.append(A, [note('refused')]);

      await expect(refused).rejects.toMatchObject({
        code: 'JOURNAL_FAILED',
        message: expect.stringMatching(/000001\.log: ENOSPC.*Free space/),
        details: { reason: 'ENOSPC' },
      });
      expect(await log.read(A)).toEqual([started(A, 1)]);
      failing.clear();
      await log.append(A, [note('accepted')]);
    }
    await using log = await openAt(folder.path);
    expect(notesOf(await log.read(A))).toEqual(['accepted']);
    expect(log.damaged()).toEqual([]);
  });

  test('a failed write that cannot be truncated is ignored by the next opening', async () => {
    await using folder = await temporaryFolder();
    const failing = new Set<Step>();
    const { log: logger, heard } = listeningLogger();
    {
      const disk = unreliableDisk((step) => failing.has(step));
      await using log = await openAt(folder.path, { disk, log: logger });
      await log.append(A, [started(A, 1)]);
      // All of it is written, and only then the sync fails.
      failing.add('datasync').add('truncate');
      await expect(log.append(A, [note('refused')])).rejects.toThrow('EIO');
      failing.clear();

      await log.append(A, [note('accepted')]);

      expect(await readdir(folder.path)).toEqual(['000001.log', '000002.log']);
      expect(heard).toHaveLength(1);
    }
    await using log = await openAt(folder.path);
    expect(notesOf(await log.read(A))).toEqual(['accepted']);
    expect(log.damaged()).toEqual([]);
  });

  test('a failed write rejects the pending writes of the same run, and of no other', async () => {
    await using folder = await temporaryFolder();
    let failing = 0;
    const disk = unreliableDisk((step) => step === 'write' && failing-- > 0);
    await using log = await openAt(folder.path, { disk });
    await log.append(A, [started(A, 1)]);
    failing = 1;

    const first = log.append(A, [note('1')]);
    // The first one is being written by then, so the others wait.
    const later = Promise.resolve().then(() =>
      Promise.allSettled([log.append(A, [note('2')]), log.append(B, [started(B, 2)])]),
    );

    await expect(first).rejects.toThrow('ENOSPC');
    expect((await later).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await log.read(A)).toEqual([started(A, 1)]);
    expect(await log.read(B)).toEqual([started(B, 2)]);
  });

  test('accepted events are in the journal once and refused ones are not, whatever fails in any order', async () => {
    const steps: readonly Step[] = ['create', 'write', 'datasync', 'truncate', 'syncDirectory'];
    const faults = fc.array(fc.record({ after: fc.nat(6), step: fc.constantFrom(...steps) }), {
      minLength: 1,
      maxLength: 12,
    });

    await fc.assert(
      fc.asyncProperty(faults, fc.boolean(), async (plan, isSmall) => {
        await using folder = await temporaryFolder();
        const queue = [...plan];
        let calls = 0;
        const disk = unreliableDisk((step) => {
          const next = queue[0];
          if (!next || step !== next.step || calls++ < next.after) return false;
          queue.shift();
          calls = 0;
          return true;
        });
        const refusals: unknown[] = [];
        const accepted = new Map([A, B].map((run) => [run, [] as string[]]));
        {
          await using log = await openAt(folder.path, {
            disk,
            segmentBytes: isSmall ? 150 : 10_000,
          });
          for (let round = 0; round < 15; round++) {
            if (round === 14) queue.length = 0;
            await Promise.all(
              [A, B].map(async (run) => {
                const text = `${run} ${round} ${'x'.repeat(round * 7)}`;
                try {
                  await log.append(run, [note(text)]);
                  accepted.get(run)?.push(text);
                } catch (error) {
                  refusals.push(error);
                }
              }),
            );
          }
          for (const [run, texts] of accepted) expect(notesOf(await log.read(run))).toEqual(texts);
        }
        for (const error of refusals) expect(error).toMatchObject({ code: 'JOURNAL_FAILED' });
        await using log = await openAt(folder.path);
        for (const [run, texts] of accepted) expect(notesOf(await log.read(run))).toEqual(texts);
        expect(log.damaged()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
