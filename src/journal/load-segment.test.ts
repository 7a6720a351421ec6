import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  checkpoint,
  finished,
  note,
  notesOf,
  started,
} from '../../test/fixtures/journal/events.js';
import { A, B, C, fillJournal, listeningLogger, openAt } from '../../test/helpers/journal.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';

describe('an end that was cut off', () => {
  test('a cut-off end at any byte loses only the write that was in progress', async () => {
    await using source = await temporaryFolder();
    {
      await using log = await openAt(source.path);
      await fillJournal(log);
    }
    const whole = await readFile(join(source.path, '000001.log'));
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1;

    for (let end = lastLine; end < whole.length; end++) {
      await using folder = await temporaryFolder();
      await writeFile(join(folder.path, '000001.log'), whole.subarray(0, end));
      const { log: logger, heard } = listeningLogger();
      {
        await using log = await openAt(folder.path, { log: logger });

        expect(notesOf(await log.read(B))).toEqual(['b1']);
        expect(notesOf(await log.read(A))).toEqual(['a1']);
        expect(await log.claim()).toEqual([A, B]);
        await log.append(B, [note('again')]);
      }
      expect(heard.map(({ level }) => level)).toEqual(end === lastLine ? [] : ['warn']);
      await using log = await openAt(folder.path);
      expect(notesOf(await log.read(B))).toEqual(['b1', 'again']);
    }
  });

  test('a cut-off end is found in the very first line, too', async () => {
    await using source = await temporaryFolder();
    {
      await using log = await openAt(source.path);
      await log.append(A, [started(A, 1)]);
    }
    const whole = await readFile(join(source.path, '000001.log'));
    for (let end = 0; end < whole.indexOf(10) + 2; end++) {
      await using folder = await temporaryFolder();
      await writeFile(join(folder.path, '000001.log'), whole.subarray(0, end));

      await using log = await openAt(folder.path);

      expect(await log.list({ limit: 9 })).toEqual([]);
      await log.append(B, [started(B, 1)]);
      expect(await log.claim()).toEqual([B]);
      expect(log.damaged()).toEqual([]);
    }
  });

  test('a cut-off end may have holes where pages of one write did not reach the disk', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, '000001.log');
    {
      await using log = await openAt(folder.path);
      await fillJournal(log);
      await Promise.all([
        log.append(A, [note('x'.repeat(9_000))]),
        log.append(B, [note('y'.repeat(9_000))]),
      ]);
    }
    const bytes = await readFile(path);
    bytes.fill(0, bytes.indexOf('xxx') + 100, bytes.indexOf('xxx') + 4_196);
    await writeFile(path, bytes);

    await using log = await openAt(folder.path);

    expect(log.damaged()).toEqual([]);
    expect(await log.claim()).toEqual([A, B]);
    expect(notesOf(await log.read(B))).toEqual(['b1', 'b2']);
  });
});

describe('damage in the middle', () => {
  async function damage(directory: string, at: (bytes: Buffer) => number): Promise<void> {
    const path = join(directory, '000001.log');
    const bytes = await readFile(path);
    const place = at(bytes);
    bytes[place] = bytes[place]! ^ 1;
    await writeFile(path, bytes);
  }

  test('damage of a body affects its run alone, and is reported, copied aside and found again', async () => {
    await using folder = await temporaryFolder();
    {
      await using log = await openAt(folder.path);
      await fillJournal(log);
    }
    await damage(folder.path, (bytes) => bytes.indexOf('"a1"') + 1);
    const { log: logger, heard } = listeningLogger();

    for (let round = 0; round < 2; round++) {
      await using log = await openAt(folder.path, { log: logger });

      expect(log.damaged()).toEqual([
        { run: A, place: expect.stringMatching(/000001\.log, byte \d+$/) },
      ]);
      expect(await log.claim()).toEqual([B]);
      expect((await log.read(A)).length, 'what is left').toBe(1 + round);
      expect(notesOf(await log.read(B))).toEqual(['b1', 'b2']);
      expect(await log.list({ limit: 9 })).toEqual([C, B, A]);
      await log.append(A, [note(`after ${round}`)]);
    }

    expect(heard.filter(({ message }) => message.includes('cannot be read'))).toMatchObject([
      { level: 'error', fields: { run: A, offset: expect.any(Number) } },
      { level: 'error', fields: { run: A } },
    ]);
    const copies = (await readdir(folder.path)).filter((name) => name.includes('.corrupt-'));
    expect(copies).toHaveLength(1);
    await using log = await openAt(folder.path);
    expect(notesOf(await log.read(A))).toEqual(['after 0', 'after 1']);
    await log.append(A, [checkpoint(A, 1)]);
    expect(log.damaged()).toEqual([]);
    expect(await log.claim()).toEqual([A, B]);
  });

  test('damage of a head affects every unfinished run without a later event', async () => {
    await using folder = await temporaryFolder();
    {
      await using log = await openAt(folder.path);
      await fillJournal(log);
    }
    await damage(folder.path, (bytes) => bytes.lastIndexOf('\n', bytes.indexOf('"a1"')) + 12);

    await using log = await openAt(folder.path);

    expect(log.damaged().map(({ run }) => run)).toEqual([A]);
    expect(await log.claim(), 'B goes on without a gap').toEqual([B]);
    await log.append(A, [note('more')]);
    await log[Symbol.asyncDispose]();
    await using reopened = await openAt(folder.path);
    expect(await reopened.claim(), 'more of A does not hide what is gone').toEqual([B]);
  });

  test('damage by zeros is not taken for a cut-off end when a later write exists', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, '000001.log');
    {
      await using log = await openAt(folder.path);
      await fillJournal(log);
    }
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0, bytes.indexOf('"a1"'), bytes.indexOf('"a1"') + 3));

    await using log = await openAt(folder.path);

    expect(log.damaged().map(({ run }) => run)).toEqual([A]);
    expect(notesOf(await log.read(B))).toEqual(['b1', 'b2']);
    expect(await log.list({ limit: 9 })).toEqual([C, B, A]);
  });

  test('damage at any byte is reported, gives no wrong events and leaves every other run whole', async () => {
    await using source = await temporaryFolder();
    {
      await using log = await openAt(source.path);
      await fillJournal(log);
    }
    const whole = await readFile(join(source.path, '000001.log'));
    const expected = new Map([
      [A, [started(A, 1), note('a1')]],
      [B, [started(B, 2), note('b1'), note('b2')]],
      [C, [started(C, 3), finished(4)]],
    ]);

    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          await using folder = await temporaryFolder();
          const bytes = Buffer.from(whole);
          bytes[at] = bytes[at]! ^ flip;
          await writeFile(join(folder.path, '000001.log'), bytes);
          const { log: logger, heard } = listeningLogger();

          await using log = await openAt(folder.path, { log: logger });

          expect(heard.length).toBeGreaterThan(0);
          const isCutOff = heard.some(({ message }) => message.includes('was cut off'));
          const claimed = isCutOff ? [] : await log.claim();
          let isLess = 0;
          for (const [run, events] of expected) {
            const read = await log.read(run);
            expect(events).toEqual(expect.arrayContaining([...read]));
            if (read.length < events.length) isLess++;
            const isWhole = read.length === events.length;
            expect(isWhole || !claimed.includes(run), 'offered, and not whole').toBe(true);
          }
          expect(isLess).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('damage is noticed when a whole segment is missing or shorter than it was', async () => {
    for (const harm of ['missing', 'shorter'] as const) {
      await using folder = await temporaryFolder();
      {
        await using log = await openAt(folder.path, { segmentBytes: 10 });
        await log.append(B, [started(B, 1)]);
        await log.append(A, [started(A, 2)]);
        await log.append(A, [note('a1')]);
        await log.append(C, [started(C, 3)]);
      }
      const path = join(folder.path, '000003.log');
      const bytes = await readFile(path);
      if (harm === 'shorter') await writeFile(path, bytes.subarray(0, bytes.indexOf(10) + 1));
      else await rm(path);

      await using log = await openAt(folder.path);

      expect(log.damaged().map(({ run }) => run)).toEqual([B, A]);
      expect(await log.claim()).toEqual([C]);
    }
  });
});
