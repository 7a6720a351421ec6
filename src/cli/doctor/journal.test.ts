import { expect, test } from 'vitest';

import { runId } from '../../core/index.js';
import type { JournalReport } from '../../journal/index.js';
import { judgeJournal } from './journal.js';

const directory = '/data/journal';
const whole: JournalReport = { files: 2, bytes: 1_000, runs: 7, problems: [], damaged: [] };
const judge = (report: Partial<JournalReport>, told?: readonly string[]) =>
  judgeJournal({ report: { ...whole, ...report }, directory }, told);

test('a journal that is whole, new, cut off by a crash or elsewhere is in order', () => {
  expect(judge({})).toMatchObject({
    level: 'ok',
    message: expect.stringMatching(/^2 files, 7 runs/) as string,
  });
  expect(judge({ files: 0, runs: 0 })).toMatchObject({ level: 'ok', message: 'no runs yet' });
  expect(judge({ cut: `${directory}/000002.log, byte 9` })).toMatchObject({
    level: 'ok',
    message: expect.stringContaining('000002.log, byte 9') as string,
  });
  expect(judgeJournal({ isElsewhere: true }).level).toBe('ok');
});

test('a journal that lost records fails with each place, its runs and what to do', () => {
  const place = `${directory}/000001.log, byte 77: a record of run_a cannot be read (90 bytes)`;

  const finding = judge({ problems: [place], damaged: [runId('run_a'), runId('run_b')] });

  expect(finding).toMatchObject({ level: 'fail', message: place });
  expect(finding.fix).toContain('run_a, run_b');
  expect(finding.fix).toContain('pml continue <run> abort');
});

test('what the daemon found when it started fails too, once', () => {
  const problem = `${directory}/000001.log is missing`;

  expect(judge({}, [problem])).toMatchObject({ level: 'fail', message: problem });
  expect(judge({ problems: [problem] }, [problem])).toMatchObject({ message: problem });
});

test('a journal that cannot be read at all fails with the reason', () => {
  const finding = judgeJournal({ error: 'EACCES: permission denied', directory });

  expect(finding).toMatchObject({ level: 'fail', message: 'EACCES: permission denied' });
});
