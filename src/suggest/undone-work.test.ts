import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { served } from '../../test/helpers/ready-discovery.js';
import { pastPlan } from './past/past-plan.js';
import { undoneShare } from './undone-work.js';

const tools = (...names: readonly string[]) => new Set(names.map(id));
const undone = (intent: string, names: ReadonlySet<ReturnType<typeof id>>, past = '') =>
  undoneShare(names, {
    intent,
    similar: past === '' ? [] : [{ plan: pastPlan(served('r1', past, [...names])), share: 1 }],
  });

test('a plan that only reads misses the whole change of a request to write', () => {
  expect(undone('read the page and save it to a file', tools('web:fetch_page'))).toBe(1);
  expect(undone('read the page', tools('web:fetch_page'))).toBe(0);
});

test('a plan that makes the change misses nothing', () => {
  const plan = tools('web:fetch_page', 'files:write_file');

  expect(undone('read the page and save it to a file', plan)).toBe(0);
});

test('a plan that makes another change misses less than a plan that only reads', () => {
  expect(undone('send the report to Ann', tools('files:write_file'))).toBe(0.2);
});

test('similar runs with the same requested change and the same tools lower the missing part', () => {
  const plan = tools('desk:file');

  expect(undone('save the note', plan, 'save my notes')).toBe(0);
  expect(undone('save the note', tools('desk:look'), 'look at my notes')).toBe(1);
});
