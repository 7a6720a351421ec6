import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { text } from '../../../test/helpers/fake-tools.js';
import { task } from '../../../test/helpers/run-parts.js';
import { PmlError } from '../../core/index.js';
import { summarizeProgress } from './run-progress.js';

/** Of o200k, for what a pause says of a run besides its results and questions. */
const MOST_TOKENS = 120;

test('a summary says what was done and found, what failed, what waits and why, and who said what', async () => {
  const { live } = await idleRun([task('find'), task('bad'), task('riskyPay', ['find'])], {
    answers: { find: text('{"id": 7}\n'), bad: new PmlError('SERVER_BROKEN', 'disk full') },
  });
  await live.say('only up to 20 euros', 'user');

  expect(summarizeProgress(live.state)).toBe(
    'Done: find → {"id": 7}. Failed: bad (disk full). Waits: riskyPay (it is risky). The user says: only up to 20 euros',
  );
});

describe('a summary is short', () => {
  const words = 'The quick brown fox of the harbour master counts every crate twice. ';
  const rows = JSON.stringify(
    Array.from({ length: 50 }, (_, index) => ({ id: `a${index}f9`, price: index * 1.37 })),
  );

  test.each([
    ['words', words.repeat(2_000)],
    ['rows of JSON', rows],
    ['Cyrillic words', 'Быстрая лиса считает каждый ящик дважды. '.repeat(50)],
    ['digits', '8301947562'.repeat(500)],
  ])('for ten results of %s and three calls that wait', async (_, result) => {
    const found = Array.from({ length: 10 }, (_each, index) => task(`found${index}`));
    const risky = Array.from({ length: 3 }, (_each, index) => task(`risky${index}`));
    const answers = Object.fromEntries(found.map(({ id }) => [id, text(result)]));
    const { live } = await idleRun([...found, ...risky], { answers });
    await live.say(words.repeat(20), 'human');

    const summary = summarizeProgress(live.state);

    expect(countTokens(summary)).toBeLessThanOrEqual(MOST_TOKENS);
    expect(summary).toContain('found9 → ');
    expect(summary).toContain('6 more');
    expect(summary).toContain('risky2');
  });
});
