/**
 * Twenty sentences, asked after five examples of each procedure in other words. No call with a wrong
 * value reaches a tool that writes.
 *
 * `PML_SENTENCES=shown`, `kept` or `fresh` also measures on a quiet machine whether at least 70 % of the plans of
 * that set are right as a whole: what PML has learned by then depends on the time it had.
 * `PML_SENTENCES_OUT=file` writes every answer down.
 */
import { writeFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  sentenceFiles,
  sentencesIn,
  serve,
  teach,
  type Verdict,
} from '../helpers/guess-sentences.js';
import { GuessAgent } from '../helpers/guess-servers.js';

const LEAST_RIGHT = 0.7;
const MEASURED = process.env['PML_SENTENCES'];
const SETS = (['shown', 'kept', 'fresh'] as const).filter((set) => set === (MEASURED ?? 'shown'));

test('all sets hold twenty sentences of the same kinds', () => {
  const { shown, kept, fresh } = sentencesIn('');
  const kinds = shown.map(({ kind }) => kind);

  expect(kinds).toHaveLength(20);
  expect(kept.map(({ kind }) => kind)).toEqual(kinds);
  expect(fresh.map(({ kind }) => kind)).toEqual(kinds);
});

describe.each(SETS)('the %s sentences', (set) => {
  const verdicts: Verdict[] = [];
  let agent: GuessAgent;

  beforeAll(async () => {
    agent = await GuessAgent.connect({
      files: sentenceFiles(),
      config: { embedding: 'gte-small' },
    });
    await teach(agent);
    for (const sentence of sentencesIn(agent.folder)[set]) {
      verdicts.push(await serve(agent, sentence));
    }
    const file = process.env['PML_SENTENCES_OUT'];
    if (file) writeFileSync(`${file}.${set}.json`, JSON.stringify(verdicts, undefined, 2));
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test('make no call with a wrong value to a tool that writes', () => {
    const wrong = verdicts.filter(({ wrongWrites }) => wrongWrites.length > 0);

    expect(wrong.map(({ ask, wrongWrites }) => ({ ask, wrongWrites }))).toEqual([]);
    expect(verdicts).toHaveLength(20);
  });

  test.skipIf(!MEASURED)('get the right plan with the right values', () => {
    const missed = verdicts.filter(({ isRight }) => !isRight);

    const right = (verdicts.length - missed.length) / verdicts.length;
    const told = missed.map(({ ask, because }) => `${ask}\n    ${because}`).join('\n');
    expect(right, `${missed.length} of ${verdicts.length} missed:\n${told}`).toBeGreaterThanOrEqual(
      LEAST_RIGHT,
    );
  });
});
