import { expect, test } from 'vitest';

import { judgeDefinitions } from './definitions.js';

test('judgeDefinitions reports nothing when texts and pins are in order', () => {
  expect(judgeDefinitions({ hidden: [] })).toEqual([]);
  expect(judgeDefinitions(undefined)).toEqual([]);
});

test('judgeDefinitions names the texts that had invisible characters', () => {
  const [finding] = judgeDefinitions({ hidden: [{ server: 's', place: 'tool add description' }] });

  expect(finding).toMatchObject({ level: 'warn', what: 'texts' });
  expect(finding?.message).toContain('s: tool add description');
});

test('judgeDefinitions fails when the pins are unreliable', () => {
  const [finding] = judgeDefinitions({ hidden: [], pinsProblem: '/d/pins.json is damaged' });

  expect(finding).toMatchObject({ level: 'fail', message: '/d/pins.json is damaged' });
});
