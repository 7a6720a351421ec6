import { expect, test } from 'vitest';

import { type Guess, type JsonObject, parseToolId, taskId } from '../../core/index.js';
import { argumentConfidence } from './argument-confidence.js';
import type { FilledPlan } from './fill-plan.js';

const guess = (score: number, rest: Partial<Guess> = {}): Guess => ({
  source: 'literal',
  score,
  because: 'the request says so',
  ...rest,
});

function planOf(
  tasks: readonly [args: JsonObject, guessed: Record<string, Guess>][],
  holes: FilledPlan['holes'] = [],
): FilledPlan {
  return {
    plan: {
      tasks: tasks.map(([args, guessed], place) => ({
        id: taskId(`t${place}`),
        tool: parseToolId('city:get_weather').id,
        args,
        needs: [],
        guessed,
      })),
    },
    bindings: [],
    ambiguous: [],
    broken: [],
    holes,
    values: [],
  };
}

test('confidence is 1 for a plan without guesses, and a hole does not change it', () => {
  const hole = { task: taskId('t0'), param: 'city', type: 'string' };

  expect(argumentConfidence(planOf([[{ city: 'Rome' }, {}]]))).toBe(1);
  expect(argumentConfidence(planOf([[{}, {}]], [hole]))).toBe(1);
});

test('each guess lowers the confidence, and one value in several places counts once', () => {
  const both = planOf([
    [{ city: 'Rome' }, { city: guess(0.9) }],
    [
      { city: 'Rome', days: 3 },
      { city: guess(0.8), days: guess(0.5) },
    ],
  ]);

  expect(argumentConfidence(both)).toBeCloseTo(0.8 * 0.5);
});

test('confidence is 1 for values the schema dictates and values the user approved', () => {
  const plan = planOf([
    [
      { unit: 'K', city: 'Rome' },
      { unit: guess(1, { source: 'default' }), city: guess(0.6, { confirmed: 'approved' }) },
    ],
  ]);

  expect(argumentConfidence(plan)).toBe(1);
});

test('confidence in a literal follows how often past requests had the value of the parameter', () => {
  const plan = planOf([[{ city: 'Rome' }, { city: guess(0.7) }]]);
  const after = (runs: number, said: number) =>
    argumentConfidence(plan, { said: () => ({ runs, said }) });

  expect(after(0, 0)).toBeCloseTo(0.7);
  expect(after(30, 30)).toBeGreaterThan(0.9);
  expect(after(30, 0)).toBeLessThan(0.2);
  // Little evidence changes little.
  expect(after(1, 0)).toBeGreaterThan(0.6);
});

test('confidence in a value that did not come from the request ignores what requests had', () => {
  const plan = planOf([[{ city: 'Rome' }, { city: guess(0.7, { source: 'past' }) }]]);

  expect(argumentConfidence(plan, { said: () => ({ runs: 30, said: 0 }) })).toBeCloseTo(0.7);
});
