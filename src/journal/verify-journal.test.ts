import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { note, notesOf, started } from '../../test/fixtures/journal/events.js';
import { A, B, C, fillJournal, listeningLogger, openAt } from '../../test/helpers/journal.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { verifyJournal } from './verify-journal.js';

const SEGMENT = '000001.log';

/** A journal with its mark beside it, closed cleanly unless the test asks for something else. */
async function someJournal({ segmentBytes = 1e6 } = {}) {
  const folder = await temporaryFolder();
  const directory = join(folder.path, 'journal');
  const markPath = join(folder.path, 'journal.mark');
  const open = (rest = {}) => openAt(directory, { markPath, segmentBytes, ...rest });
  {
    await using log = await open();
    await fillJournal(log);
  }
  return {
    directory,
    markPath,
    open,
    verify: () => verifyJournal(directory, { markPath }),
    path: join(directory, SEGMENT),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function flip(path: string, at: (bytes: Buffer) => number, to = (byte: number) => byte ^ 1) {
  const bytes = await readFile(path);
  const place = at(bytes);
  bytes[place] = to(bytes[place]!);
  await writeFile(path, bytes);
  return place;
}

/** Where the last line begins. */
const lastLine = (bytes: Buffer) => bytes.lastIndexOf(10, bytes.length - 2) + 1;

describe('a journal that is whole', () => {
  test('an intact journal verifies, and so does one without any write', async () => {
    await using journal = await someJournal();

    expect(await journal.verify()).toMatchObject({ files: 1, runs: 3, problems: [], damaged: [] });
    expect(await verifyJournal('/there/is/no/such/journal')).toMatchObject({
      files: 0,
      problems: [],
    });
  });

  test('an intact journal verifies during and after writes and compaction', async () => {
    await using journal = await someJournal({ segmentBytes: 200 });
    await using log = await journal.open();
    for (let round = 0; round < 20; round++) {
      await log.append(A, [note(`more ${round}`)]);
      expect((await journal.verify()).problems).toEqual([]);
    }
    await log.prune({ keepRuns: 0, endedBefore: 0 });

    expect(await journal.verify()).toMatchObject({ runs: 2, problems: [] });
    await log[Symbol.asyncDispose]();
    expect(await journal.verify()).toMatchObject({ runs: 2, problems: [] });
  });

  test('verification changes nothing in a journal, broken or not', async () => {
    await using journal = await someJournal();
    await flip(journal.path, lastLine);
    const before = await readFile(journal.path);

    await journal.verify();

    expect(await readFile(journal.path)).toEqual(before);
    expect(await readdir(journal.directory)).toEqual([SEGMENT]);
  });
});

describe('a last write that a crash cut off [JOURNAL-DAMAGE]', () => {
  test('a last write that a crash cut off is no damage: the run goes on without it', async () => {
    await using journal = await someJournal();
    // The mark is that of a daemon that was killed before it could close.
    const mark = await readFile(journal.markPath);
    {
      await using log = await journal.open();
      await log.append(B, [note('b3')]);
    }
    await writeFile(journal.markPath, mark);
    const { length } = await readFile(journal.path);
    await truncate(journal.path, length - 5);

    const report = await journal.verify();

    expect(report).toMatchObject({ problems: [], damaged: [] });
    expect(report.cut).toMatch(/000001\.log, byte \d+$/);
    await using log = await journal.open();
    expect(notesOf(await log.read(B))).toEqual(['b1', 'b2']);
    expect(await log.claim()).toEqual([A, B]);
  });
});

describe('a byte of the last record that changed [JOURNAL-DAMAGE]', () => {
  const places = {
    'in its events': (bytes: Buffer) => bytes.lastIndexOf('b2'),
    'in its head': (bytes: Buffer) => lastLine(bytes) + 2,
    'at its very end': (bytes: Buffer) => bytes.length - 1,
  };

  for (const [where, place] of Object.entries(places)) {
    for (const [how, to] of [
      ['flipped', (byte: number) => byte ^ 1],
      ['zeroed', () => 0],
    ] as const) {
      test(`a byte of the last record ${how} ${where} is found, and its run is damaged, not gone`, async () => {
        await using journal = await someJournal();
        const offset = await readFile(journal.path).then(lastLine);
        await flip(journal.path, place, to);

        const report = await journal.verify();

        expect(report.problems).toEqual([
          expect.stringMatching(new RegExp(`${SEGMENT}, byte ${offset}: a record of`)),
        ]);
        expect(report.damaged).toContain(B);
        await using log = await journal.open();
        expect(log.damageOf(B)).toMatchObject({ place: expect.stringContaining(`byte ${offset}`) });
        expect(await log.list({ limit: 9 })).toContain(B);
        expect(await log.claim()).not.toContain(B);
        expect(log.problems()).toEqual(report.problems);
      });
    }
  }

  test('a changed byte of the last record names a run of which nothing else is left', async () => {
    await using journal = await someJournal();
    {
      await using log = await journal.open();
      await log.append(C, [note('later')]);
      await log.append('only' as typeof A, [started('only' as typeof A, 9)]);
    }
    await flip(journal.path, (bytes) => lastLine(bytes) + 2);

    await using log = await journal.open();

    expect(log.damageOf('only' as typeof A)).toMatchObject({ startedAt: 9 });
    expect(await log.list({ limit: 9 })).toContain('only');
    expect(await log.claim()).not.toContain('only');
  });
});

describe('an end that is missing [JOURNAL-DAMAGE]', () => {
  test.each([
    ['emptied', (path: string) => truncate(path, 0)],
    ['shortened', (path: string) => truncate(path, 200)],
  ])('every opening notices the missing end of a segment that was %s', async (_how, harm) => {
    await using journal = await someJournal();
    await harm(journal.path);

    for (let opening = 0; opening < 2; opening++) {
      expect((await journal.verify()).problems.join()).toContain('shorter than it was');
      const { log: logger, heard } = listeningLogger();
      await using log = await journal.open({ log: logger });
      expect(log.problems().join()).toContain('shorter than it was');
      expect(heard.filter(({ level }) => level === 'error')).not.toEqual([]);
      expect((await log.claim()).filter((run) => run === A || run === B)).toEqual([]);
      const next = `next ${opening}` as typeof A;
      await log.append(next, [started(next, 9)]);
      expect(await log.claim()).toContain(next);
    }
  });

  test('a missing end is noticed when the last segments are gone, and earlier runs are not resumed', async () => {
    await using journal = await someJournal({ segmentBytes: 100 });
    const names = await readdir(journal.directory);
    for (const name of names.slice(-2)) await rm(join(journal.directory, name));

    for (let opening = 0; opening < 2; opening++) {
      expect((await journal.verify()).problems).toHaveLength(2);
      await using log = await journal.open();
      expect(log.problems()).toEqual(names.slice(-2).map((name) => expect.stringContaining(name)));
      expect((await log.claim()).filter((run) => run === A || run === B)).toEqual([]);
      const next = `next ${opening}` as typeof A;
      await log.append(next, [started(next, 9)]);
      expect((await journal.verify()).damaged).not.toContain(next);
    }
  });

  test('a missing end is noticed when the whole directory is gone, and a new journal begins', async () => {
    await using journal = await someJournal();
    await rm(journal.directory, { recursive: true });

    expect((await journal.verify()).problems).toEqual([expect.stringContaining('is missing')]);
    {
      await using log = await journal.open();
      expect(log.problems()).toHaveLength(1);
      await log.append(A, [started(A, 9)]);
    }

    expect(await journal.verify()).toMatchObject({ runs: 1, problems: [] });
  });

  test('a missing end is not suspected without a mark, or with an unreadable one', async () => {
    await using journal = await someJournal();
    for (const harm of [
      () => rm(journal.markPath),
      () => writeFile(journal.markPath, 'nonsense'),
    ]) {
      await harm();
      expect((await journal.verify()).problems).toEqual([]);
      await using log = await journal.open();
      expect(log.problems()).toEqual([]);
    }
  });

  test('a missing end is not suspected in a complete copy of the journal', async () => {
    await using journal = await someJournal();
    const copy = join(journal.directory, '..', 'copy');
    await mkdir(copy);
    await copyFile(journal.path, join(copy, SEGMENT));

    const report = await verifyJournal(copy, { markPath: journal.markPath });

    expect(report).toMatchObject({ runs: 3, problems: [] });
  });
});
