import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import type { SpeculationMetrics } from '../../control/index.js';
import { localTime } from '../print/format-time.js';
import { describeForgotten } from './forget.js';
import { describeSpeculation } from './speculation-describe.js';

const plain = (metrics: SpeculationMetrics) =>
  describeSpeculation(metrics).map((line) => stripVTControlCharacters(line).trimEnd());

const FROM = '2026-11-02T08:00:00.000Z';
const figures = {
  predictions: 1_200,
  exact: 100,
  tool: 300,
  done: 40,
  served: 35,
  wasted: 5,
  missed: 20,
  savedMs: 52_000,
  wastedMs: 900,
};
const gate = { name: 'episodes', isBetter: false, gain: 0, answers: 0, groups: 0 };
const none: SpeculationMetrics = {
  predictions: 0,
  rungs: [],
  clients: [],
  extraCalls: [],
  thresholds: [],
  episodes: { inUse: false, gate: { ...gate, why: '0 different requests prove nothing yet' } },
};

test('describeSpeculation shows predictions and thresholds by rung, client and server', () => {
  const why = 'off: at 0.95, 3 of 12 predictions were useful';
  const history = [0.92, 0.93, 0.95, 2].map((value) => ({ at: FROM, value }));
  const metrics: SpeculationMetrics = {
    ...none,
    predictions: 1_200,
    from: FROM,
    rungs: [{ rung: 'speculate', ...figures }],
    clients: [{ client: 'claude\u001B[2J', ...figures }],
    extraCalls: [{ server: 'files', calls: 5 }],
    thresholds: [
      {
        rung: 'speculate',
        kind: 'read',
        value: 0.95,
        isOff: true,
        why,
        at: FROM,
        outcomes: 50,
        figures,
        history,
      },
    ],
  };

  const cells = '1,200        100    300   40    35      5       20      52.0 s  900 ms';
  expect(plain(metrics)).toEqual([
    `What PML foresaw: 1,200 predictions since ${localTime(FROM)}`,
    '                  predictions  exact  tool  done  useful  unused  missed  saved   wasted',
    `calls made ahead  ${cells}`,
    '',
    'exact: the client made just that call. tool: it called that tool. done: PML acted on it.',
    'missed: PML was not sure enough, and it would have been useful.',
    '',
    'By client',
    expect.stringMatching(/^ +predictions/),
    `claude\\u{1b}[2J  ${cells}`,
    '',
    'Unused calls, by server',
    'files  5',
    '',
    'How sure PML must be',
    expect.stringMatching(/^ +tools  must reach/),
    `calls made ahead  read   off         35 of 40  5       20      0.92, 0.93, 0.95  ${why} (50 outcomes count)`,
    '',
    'Past episodes',
    'do not change predictions: 0 different requests prove nothing yet',
  ]);
});

test('describeSpeculation prints one sentence when there is no prediction yet', () => {
  expect(plain(none)).toEqual(['PML has made no prediction yet.']);
});

test('describeForgotten says in words what PML forgot', () => {
  const forgotten = { episodes: 1_200, thresholds: 1 };

  expect(describeForgotten('episodes', forgotten)).toBe('PML forgot 1,200 episodes.');
  expect(describeForgotten('thresholds', forgotten)).toBe('PML forgot 1 threshold.');
  expect(describeForgotten('speculation', forgotten)).toBe(
    'PML forgot 1,200 episodes and 1 threshold.',
  );
});
