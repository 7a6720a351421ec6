import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { describePlan } from './describe-plan.js';

const PLAN = {
  layers: [['find'], ['rm']],
  tasks: [
    { id: 'find', tool: 'files:search', args: { text: 'x' }, needs: [] },
    { id: 'rm', tool: 'files:delete', args: { path: { $ref: 'find.path' } }, needs: ['find'] },
  ],
  filled: ['rm.path ← find.path (0.90): the names are alike'],
  bindings: [{ from: 'find.path', to: 'rm.path', score: 0.9, reasons: ['the names are alike'] }],
  holes: [],
  approvals: [{ task: 'rm', tool: 'files:delete', because: 'its name says delete' }],
};

const lines = (plan: Parameters<typeof describePlan>[0]) =>
  describePlan(plan).map((line) => stripVTControlCharacters(line));

test('a dry run shows layers, what was inferred and why, and what would be asked', () => {
  expect(lines(PLAN)).toEqual([
    'layer 1',
    '  find files:search',
    '    {"text":"x"}',
    'layer 2',
    '  rm files:delete ← find',
    '    {"path":{"$ref":"find.path"}}',
    '',
    'filled in by PML',
    '  rm.path ← find.path (0.90): the names are alike',
    '',
    'needs an approval',
    '  rm files:delete: its name says delete',
    '',
    'Dry run: no tool was called.',
  ]);
});

test('a plan of an older daemon shows its bindings in the same words', () => {
  const { filled: _, ...older } = PLAN;

  expect(lines(older)).toEqual(lines(PLAN));
});

test('what is missing is named, with where it may come from', () => {
  const holes = [{ task: 'rm', param: 'mode', type: 'string', hint: 'probably from `find`' }];

  expect(lines({ ...PLAN, holes }).slice(-3)).toEqual([
    '  rm.mode (string; probably from `find`)',
    '',
    'Dry run: no tool was called. Give the missing values before you run the plan.',
  ]);
});
