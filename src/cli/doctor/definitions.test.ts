import { expect, test } from 'vitest';

import { judgeDefinitions } from './definitions.js';

test('says nothing of texts and pins that are in order', () => {
  expect(judgeDefinitions({ hidden: [] })).toEqual([]);
  expect(judgeDefinitions(undefined)).toEqual([]);
});

test('names the texts that had invisible characters', () => {
  const [finding] = judgeDefinitions({ hidden: [{ server: 's', place: 'tool add description' }] });

  expect(finding).toMatchObject({ level: 'warn', what: 'texts' });
  expect(finding?.message).toContain('s: tool add description');
});

test('fails when the pins cannot be relied on', () => {
  const [finding] = judgeDefinitions({ hidden: [], pinsProblem: '/d/pins.json is damaged' });

  expect(finding).toMatchObject({ level: 'fail', message: '/d/pins.json is damaged' });
});
