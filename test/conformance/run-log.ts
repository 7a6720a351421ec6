import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { type RunEvent, type RunId, runId, type RunLog } from '../../src/core/index.js';
import {
  answered,
  checkpoint,
  finished,
  note,
  notesOf,
  progressed,
  started,
} from '../fixtures/journal/events.js';

export interface RunLogHarness extends AsyncDisposable {
  readonly log: RunLog;
  /** Closes the log and opens it again on the same data, like the next process. */
  reopen(): Promise<RunLog>;
}

/** What every `RunLog` must do. Each test gets an empty log of its own. */
export function describeRunLog(engine: string, create: () => Promise<RunLogHarness>): void {
  describe(`RunLog on ${engine}`, () => {
    const newRun = (name = 'run') => runId(`${name}-${randomUUID()}`);

    test('run log returns the events of a run in the order they were added, after reopening too', async () => {
      await using harness = await create();
      const { log } = harness;
      const [run, other] = [newRun(), newRun('other')];
      const events = [started(run, 1), note('a'), note('b'), answered('c')];

      await log.append(run, events.slice(0, 1));
      await log.append(other, [started(other, 2)]);
      await log.append(run, events.slice(1, 3));
      await log.append(run, events.slice(3));

      expect(await log.read(run)).toEqual(events);
      expect(await (await harness.reopen()).read(run)).toEqual(events);
    });

    test('run log has no events of a run that never began', async () => {
      await using harness = await create();
      const { log } = harness;

      expect(await log.read(newRun())).toEqual([]);
      expect(await log.list({ limit: 10 })).toEqual([]);
      expect(await log.claim()).toEqual([]);
      expect(await log.prune({ keepRuns: 0, endedBefore: Infinity })).toBe(0);
    });

    test('run log adds nothing if no events are given', async () => {
      await using harness = await create();
      const run = newRun();

      await harness.log.append(run, []);

      expect(await harness.log.list({ limit: 10 })).toEqual([]);
      expect(await (await harness.reopen()).read(run)).toEqual([]);
    });

    test('run log refuses progress events, and then keeps none of the events given with them', async () => {
      await using harness = await create();
      const { log } = harness;
      const run = newRun();
      await log.append(run, [started(run, 1)]);

      const refused = log.append(run, [note('with it'), progressed()]);

      await expect(refused).rejects.toMatchObject({ name: 'PmlError' });
      await log.append(run, [note('after')]);
      expect(notesOf(await log.read(run))).toEqual(['after']);
      expect(notesOf(await (await harness.reopen()).read(run))).toEqual(['after']);
    });

    test('run log refuses values that are not JSON, and accepts the next append', async () => {
      await using harness = await create();
      const { log } = harness;
      const run = newRun();
      const circle: { type: 'message-added'; at: number; text: string; self?: unknown } = {
        type: 'message-added',
        at: 1,
        text: 'round',
      };
      circle.self = circle;
      await log.append(run, [started(run, 1)]);

      const refused = log.append(run, [note('with it'), circle]);

      await expect(refused).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
      await log.append(run, [note('after')]);
      expect(notesOf(await log.read(run))).toEqual(['after']);
    });

    test('run log starts reading at the last checkpoint, whether it came alone or among others', async () => {
      await using harness = await create();
      const { log } = harness;
      const [alone, among] = [newRun('alone'), newRun('among')];
      await log.append(alone, [started(alone, 1), note('before')]);
      await log.append(alone, [checkpoint(alone, 1, { context: { n: 1 } })]);
      await log.append(alone, [note('after')]);
      await log.append(among, [started(among, 2)]);
      const kept = [checkpoint(among, 2, { context: { n: 3 } }), note('later')];

      await log.append(among, [note('x'), checkpoint(among, 2), note('y'), ...kept]);

      const expectAll = async (one: RunLog) => {
        expect(await one.read(alone)).toEqual([
          checkpoint(alone, 1, { context: { n: 1 } }),
          note('after'),
        ]);
        expect(await one.read(among)).toEqual(kept);
        expect(await one.claim()).toEqual([alone, among]);
      };
      await expectAll(log);
      await expectAll(await harness.reopen());
    });

    test('run log counts a run with a checkpoint of a finished run as finished', async () => {
      await using harness = await create();
      const run = newRun();
      await harness.log.append(run, [started(run, 1), finished(5)]);

      await harness.log.append(run, [
        checkpoint(run, 1, { finished: { at: 5, outcome: 'completed' } }),
      ]);

      const log = await harness.reopen();
      expect(await log.claim()).toEqual([]);
      expect(await log.prune({ keepRuns: 0, endedBefore: 0 })).toBe(1);
    });

    test('run log lists the newest run first, and respects the limit', async () => {
      await using harness = await create();
      const runs = [newRun(), newRun(), newRun(), newRun()];
      for (const [at, run] of runs.entries()) {
        await harness.log.append(run, [started(run, 1_000 + at)]);
      }
      await harness.log.append(runs[0]!, [note('late'), finished(2_000)]);
      await harness.log.append(runs[1]!, [checkpoint(runs[1]!, 1_001)]);

      const newestFirst = runs.toReversed();
      expect(await harness.log.list({ limit: 10 })).toEqual(newestFirst);
      expect(await harness.log.list({ limit: 2 })).toEqual(newestFirst.slice(0, 2));
      expect(await (await harness.reopen()).list({ limit: 10 })).toEqual(newestFirst);
    });

    test('run log claims unfinished runs, oldest first, and accepts further events of them', async () => {
      await using harness = await create();
      const [first, done, second] = [newRun('first'), newRun('done'), newRun('second')];
      for (const [at, run] of [first, done, second].entries()) {
        await harness.log.append(run, [started(run, at + 1)]);
      }
      await harness.log.append(done, [finished(9)]);

      const log = await harness.reopen();

      expect(await log.claim()).toEqual([first, second]);
      await log.append(first, [note('goes on')]);
      await log.append(second, [finished(10)]);
      expect(notesOf(await log.read(first))).toEqual(['goes on']);
      expect(await log.claim()).toEqual([first]);
    });

    test('run log prunes finished runs by number and by age, never an unfinished one', async () => {
      await using harness = await create();
      const { log } = harness;
      const ended = Array.from({ length: 6 }, () => newRun('ended'));
      const open = newRun('open');
      await log.append(open, [started(open, 0)]);
      for (const [at, run] of ended.entries()) {
        await log.append(run, [started(run, at + 1), finished(100 + at)]);
      }

      const byAge = await log.prune({ keepRuns: 100, endedBefore: 102 });
      const byNumber = await log.prune({ keepRuns: 2, endedBefore: 0 });
      const none = await log.prune({ keepRuns: 2, endedBefore: 0 });

      expect([byAge, byNumber, none]).toEqual([2, 2, 0]);
      const left = [ended[5]!, ended[4]!, open];
      expect(await log.list({ limit: 10 })).toEqual(left);
      expect(await log.read(ended[0]!)).toEqual([]);
      const reopened = await harness.reopen();
      expect(await reopened.list({ limit: 10 })).toEqual(left);
      expect(await reopened.read(ended[3]!)).toEqual([]);
      expect(await reopened.read(ended[5]!)).toHaveLength(2);
    });

    test('run log accepts many runs at once and keeps each in its own order', async () => {
      await using harness = await create();
      const runs = Array.from({ length: 40 }, (_, at) => newRun(`many-${at}`));
      const notes = Array.from({ length: 10 }, (_, at) => `note ${at}`);

      await Promise.all(
        runs.map(async (run, at) => {
          await harness.log.append(run, [started(run, at)]);
          await Promise.all(notes.map((text) => harness.log.append(run, [note(text)])));
        }),
      );

      for (const run of runs) expect(notesOf(await harness.log.read(run))).toEqual(notes);
      const log = await harness.reopen();
      for (const run of runs) expect(notesOf(await log.read(run))).toEqual(notes);
      expect(await log.claim()).toEqual(runs);
    });

    test('run log writes events as they were when they were given', async () => {
      await using harness = await create();
      const run = newRun();
      const context: Record<string, string> = { state: 'given' };
      const event: RunEvent = { ...started(run, 1), context } as RunEvent;

      const appended = harness.log.append(run, [event]);
      context['state'] = 'changed afterwards';
      await appended;

      expect(await harness.log.read(run)).toMatchObject([{ context: { state: 'given' } }]);
    });

    test.each([
      ['letters of all kinds', 'žluťoučký 🐎 \u2028\u2029 中文 \u200f عربى'],
      ['line ends, quotes and a zero', 'a\nb\r\nc\t"d" \\ \0 e'],
      ['halves of surrogate pairs', 'x\ud800y\udfffz'],
      ['nothing', ''],
    ])('run log keeps a text with %s', async (_, text) => {
      await using harness = await create();
      const run = newRun();
      const events = [started(run, 1), note(text), answered(text)];

      await harness.log.append(run, events);

      expect(await harness.log.read(run)).toEqual(events);
      expect(await (await harness.reopen()).read(run)).toEqual(events);
    });

    test.each(['with blanks  and\nlines', 'žluť 🐎', 'quote " and \\', ''])(
      'run log accepts %j as the id of a run',
      async (name) => {
        await using harness = await create();
        const run = runId(name) as RunId;

        await harness.log.append(run, [started(run, 1)]);

        expect(await harness.log.claim()).toEqual([run]);
        const log = await harness.reopen();
        expect(await log.list({ limit: 1 })).toEqual([run]);
        expect(await log.read(run)).toEqual([started(run, 1)]);
      },
    );

    test('run log keeps a result of five megabytes', async () => {
      await using harness = await create();
      const run = newRun();
      const text = 'große Antwort '.repeat((5 * 2 ** 20) / 15);

      await harness.log.append(run, [started(run, 1), answered(text)]);
      await harness.log.append(run, [note('after')]);

      const log = await harness.reopen();
      expect(await log.read(run)).toEqual([started(run, 1), answered(text), note('after')]);
    });

    test('run log finishes pending appends when it is closed, and accepts none afterwards', async () => {
      await using harness = await create();
      const run = newRun();
      const appends = Array.from({ length: 20 }, (_, at) =>
        harness.log.append(run, at === 0 ? [started(run, 1)] : [note(`${at}`)]),
      );

      const reopened = harness.reopen();
      await Promise.all(appends);
      const log = await reopened;

      await expect(harness.log.append(run, [note('late')])).rejects.toMatchObject({
        code: 'JOURNAL_FAILED',
      });
      await harness.log[Symbol.asyncDispose]();
      expect(await log.read(run)).toHaveLength(20);
    });
  });
}
