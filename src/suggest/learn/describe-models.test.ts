import { expect, test } from 'vitest';

import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { describeModels, namedMemberSignals } from './describe-models.js';
import { DEFAULT_MODELS } from './models.js';

test('describeModels names all weights and distinguishes default from learned models', () => {
  const learned = { ...DEFAULT_MODELS, next: DEFAULT_MODELS.next.map((weight) => weight + 1) };

  const described = describeModels(DEFAULT_MODELS);

  expect(described.id).toMatch(/^plan-default-[0-9a-f]{8}$/);
  expect(Object.values(described.plan)).toEqual([
    ...DEFAULT_MODELS.members,
    ...DEFAULT_MODELS.confidence,
  ]);
  expect(described.plan).toHaveProperty(['confidence.whole']);
  expect(Object.values(described.next)).toEqual([...DEFAULT_MODELS.next]);
  expect(describeModels(learned).id).toMatch(/^plan-learned-[0-9a-f]{8}$/);
  expect(describeModels({ ...learned }).id).toBe(describeModels(learned).id);
});

test('namedMemberSignals names every signal of a member', () => {
  const signals = namedMemberSignals(Float64Array.from(MEMBER_SIGNALS, (_, at) => at));

  expect(Object.keys(signals)).toEqual([...MEMBER_SIGNALS]);
  expect(signals['likely']).toBe(1);
});
