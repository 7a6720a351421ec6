import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import type { ReliabilityMetrics } from '../../control/index.js';
import { reliabilityCurve } from '../../learning/index.js';
import { describeReliability } from './reliability-describe.js';

const plain = (metrics: ReliabilityMetrics) =>
  describeReliability(metrics).map((line) => stripVTControlCharacters(line).trimEnd());

const claim = (confidence: number, isRight: boolean) => ({ confidence, isRight });
const gate = { name: 'memory', gain: 0.012, error: 0.02, answers: 40, groups: 12 };
const why = 'not better beyond chance: +0.012 ± 0.020 over 12 different requests';

test('every claim is shown against what came true, bin by bin, and every gate with its figures', () => {
  const plans = [claim(0.95, true), claim(0.9, true), claim(0.9, false), claim(0.3, false)];
  const metrics: ReliabilityMetrics = {
    claims: [{ kind: 'plans', source: 'live', curve: reliabilityCurve(plans) }],
    parts: [
      { part: 'discovery', inUse: 'cold', why, gates: [{ ...gate, isBetter: false, why }] },
      { part: 'links', inUse: 'shipped', why: 'nothing measured yet', gates: [] },
    ],
  };

  expect(plain(metrics)).toEqual([
    'How often PML is right when it claims a probability',
    '                                    claims  claimed  right  calibration error',
    'whole plans (what agents did next)  4       76 %     50 %   0.263',
    '  0.3 to 0.4                        1       30 %     0 %',
    '  0.9 to 1.0                        3       92 %     67 %',
    '',
    'What PML uses of what it learned',
    'part       in use   candidate  gain    error  answers  groups',
    `discovery  cold     memory     +0.012  0.020  40       12      ${why}`,
    'links      shipped                                             nothing measured yet',
  ]);
});

test('several candidates have a row each, an unknown error is said, and names are made visible', () => {
  const { error: _error, ...unknown } = gate;
  const gates = [
    { ...unknown, isBetter: false, why },
    { ...gate, name: 'x\u001B[2J', gain: -0.1, isBetter: false, why },
  ];

  const text = plain({ claims: [], parts: [{ part: 'discovery', inUse: 'cold', why, gates }] });

  expect(text[0]).toMatch(/cannot tell yet whether its claims come true/);
  expect(text.at(-2)).toMatch(/^discovery +cold +memory +\+0\.012 +unknown/);
  expect(text.at(-1)).toMatch(/^ +x\\u\{1b\}\[2J +-0\.100/);
});
