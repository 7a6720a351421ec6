import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { served } from '../../test/helpers/ready-discovery.js';
import { byName, evidenceWith } from '../../test/helpers/suggest-evidence.js';
import {
  CONFIDENCE_SIGNALS,
  confidenceSignals,
  membersConfidence,
  planConfidence,
} from './confidence.js';
import { DEFAULT_MODELS } from './learn/models.js';
import { MEMBER_SIGNALS } from './members/member-signals.js';

const weights = DEFAULT_MODELS.members;
const member = (tool: string, probability: number, repeated = 0) => ({
  tool: id(tool),
  probability,
  signals: Float64Array.from(MEMBER_SIGNALS, (name) => (name === 'repeated' ? repeated : 0)),
});
const traces = [served('r1', 'one thing', ['a:one', 'a:two']), served('r2', 'another', ['a:five'])];

test('sure members, far rivals and runs that had just the same speak for a plan', () => {
  const chosen = {
    members: [member('a:one', 0.9), member('a:two', 0.8)],
    others: [member('a:three', 0.5)],
  };
  const evidence = evidenceWith({ traces, similar: { r1: 0.6, r2: 0.4 }, trust: 0.5 });

  const signals = byName(CONFIDENCE_SIGNALS, confidenceSignals(chosen, evidence, weights));

  expect(signals.bias).toBe(1);
  expect(signals.whole).toBeCloseTo(Math.log(0.36 / 0.64), 12);
  // Two procedures are few: two thirds of what like runs agree on count.
  expect(signals.agreement).toBeCloseTo(Math.log(0.2 / 0.8), 12);
  expect(signals.undone).toBe(0);
});

test('a plan of nothing is not trusted at all', () => {
  const evidence = evidenceWith({ traces, similar: { r1: 1 }, trust: 1 });

  expect(membersConfidence({ members: [], others: [] }, evidence, DEFAULT_MODELS)).toBe(0);
});

test('members taken over from a request that is nearly the same are no surer for that', () => {
  const parts = { traces: [served('r1', 'alpha beta gamma delta epsilon', ['a:one'])] };
  const same = evidenceWith({ ...parts, intent: 'alpha beta gamma delta epsilon' });
  const nearly = evidenceWith({
    ...parts,
    intent: 'alpha beta gamma delta zeta',
    similar: { r1: 1 },
  });
  const sure = { members: [member('a:one', 0.999, 1)], others: [] };
  const taken = { members: [member('a:one', 0.999, 0.8)], others: [] };
  expect(nearly.repeated?.likeness).toBeLessThan(1);

  const whole = byName(CONFIDENCE_SIGNALS, confidenceSignals(taken, nearly, weights)).whole;

  expect(whole).toBeCloseTo(0, 12);
  expect(membersConfidence(taken, nearly, DEFAULT_MODELS)).toBeLessThanOrEqual(0.8);
  expect(membersConfidence(sure, same, DEFAULT_MODELS)).toBeGreaterThan(0.8);
});

test('a plan is right if its members and its arguments are', () => {
  expect(planConfidence(0.9, 0.5)).toBeCloseTo(0.45, 12);
  expect(planConfidence(0.9, 0)).toBe(0);
});
