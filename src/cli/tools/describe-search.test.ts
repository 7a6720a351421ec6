import { expect, test } from 'vitest';

import { searchStatus } from '../../../test/helpers/search-status.js';
import { judgeModel } from '../doctor/model.js';
import { describeModel, describeRanking, whyWordsOnly } from './describe-search.js';
import { describeAnswer } from './search.js';

const REPAINT = '\u001B[2K';

test('describeRanking shows how a ranking did on held-out requests, against words and meaning', () => {
  const quality = (first: number) => ({ first, reciprocal: first, recall: 1 });
  const metric = { examples: 40, heldOut: { cold: quality(0.5), learned: quality(0.75) } };

  expect(describeRanking({ kind: 'cold', metric: {} })).toContain('nothing measured yet');
  expect(describeRanking({ kind: 'learned', metric })).toMatch(
    /^learned .*Hit@1 0\.75.*40 past requests.*alone Hit@1 0\.50/,
  );
  expect(describeRanking({ kind: 'cold', metric })).toContain('memory would not have done better');
});

test('whyWordsOnly says why only words were compared', () => {
  expect(whyWordsOnly(searchStatus({ state: 'loading' }))).toContain('still loading');
  expect(whyWordsOnly(searchStatus({ state: 'none' }))).toContain('"none"');
  expect(whyWordsOnly(searchStatus({ state: 'failed', error: 'no file' }))).toContain('no file');
  expect(describeModel(searchStatus({ state: 'none' }))).toBe('none: search by words only');
});

test('search results fit the terminal and escape control sequences of servers', () => {
  const hit = { tool: 'a:b', server: 'a', score: 0.5, words: [], reasons: [], signals: [] };
  const description = `${REPAINT}${'long '.repeat(50)}`;
  const answer = {
    intent: 'x',
    byMeaning: true,
    isWeak: false,
    search: searchStatus(),
    unlisted: [],
  };

  const [line = ''] = describeAnswer(
    { ...answer, hits: [{ ...hit, description }] },
    { all: false, why: false, verbose: false, columns: 60 },
  );

  expect(line).toMatch(/^0\.50 {2}a:b {2}a {2}/);
  expect(line).not.toContain(REPAINT);
  expect(line.length).toBeLessThanOrEqual(60);
});

test('search shows the hits that an agent gets, and says how to see the others', () => {
  const hit = { server: 'a', score: 0.5, words: [], reasons: [], signals: [], description: '' };
  const poor = { ...hit, score: 0.01, isLeftOut: true } as const;
  const names = ['a:b', 'a:c', 'a:d', 'a:e'];
  const answer = {
    intent: 'x',
    byMeaning: true,
    isWeak: false,
    search: searchStatus(),
    unlisted: [],
    hits: names.map((tool) => ({ ...poor, tool })),
  };
  const best = { ...answer, hits: [{ ...hit, tool: 'a:best' }, ...answer.hits] };
  const shown = (from: typeof best, all: boolean) =>
    describeAnswer(from, { all, why: false, verbose: false, columns: 80 });

  expect(shown(best, false)).toEqual([
    expect.stringContaining('a:best'),
    '',
    expect.stringContaining('4 more fit too poorly: --all shows them.'),
  ]);
  expect(shown(best, true)).toHaveLength(5);
  expect(shown(answer, false).filter((line) => line.includes('a:'))).toHaveLength(3);
});

test('an unusable model is a warning with a fix; no model is in order', () => {
  expect(judgeModel({ status: 'none' }).level).toBe('ok');
  expect(judgeModel({ status: 'failed', error: 'gone' })).toMatchObject({
    level: 'warn',
    fix: expect.stringContaining('"embedding"') as string,
  });
});
