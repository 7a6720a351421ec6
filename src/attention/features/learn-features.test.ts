import { expect, test } from 'vitest';

import { noPause } from '../../../test/helpers/examples.js';
import { seeded } from '../../../test/helpers/seeded.js';
import { TRACE_FEATURES } from './feature-names.js';
import { type FeatureExample, learnFeatures } from './learn-features.js';

const RIVALS = 4;
const DURATION = TRACE_FEATURES.indexOf('duration');

/** Requests whose scores say nothing; the right tool is faster than the others as far as `telling`. */
function examples(seed: number, telling: number): readonly FeatureExample[] {
  const random = seeded(seed);
  return Array.from({ length: 60 }, (_, place) => {
    const right = Math.floor(random() * RIVALS);
    const features = Array.from({ length: RIVALS }, (_rival, at) =>
      Float64Array.from(TRACE_FEATURES, (_name, feature) => {
        const told = feature === DURATION && at === right ? -telling : 0;
        return told + random() - 0.5;
      }),
    );
    return {
      group: `g${place}`,
      scores: Array.from({ length: RIVALS }, () => random()),
      features,
      isRight: Array.from({ length: RIVALS }, (_rival, at) => at === right),
      quality: (scores) => 1 / (1 + scores.filter((score) => score > scores[right]!).length),
    };
  });
}

/** Any tool is right. */
const atRandom =
  (some: readonly FeatureExample[]) =>
  (draw: number): readonly (readonly boolean[])[] => {
    const random = seeded(100 + draw);
    return some.map(() => {
      const right = Math.floor(random() * RIVALS);
      return Array.from({ length: RIVALS }, (_rival, at) => at === right);
    });
  };

const learn = (some: readonly FeatureExample[], misled = atRandom(some)) =>
  learnFeatures(some, { fit: 'choice', misled, pause: noPause });

// covers: FEATURES-ACT
test('learnFeatures uses a feature that tells right tools from wrong ones', async () => {
  const { weights, verdict } = await learn(examples(1, 1));

  expect(verdict).toMatchObject({ isBetter: true });
  expect(weights![DURATION]).toBeLessThan(-0.5);
});

// covers: GATE-CONTROL
test('learnFeatures stays off if features that learned from other answers do as well', async () => {
  const some = examples(1, 1);

  // The fast tool is the usual one: it is right for other requests too.
  const { weights, verdict } = await learn(some, () => some.map(({ isRight }) => isRight));

  expect(weights).toBeUndefined();
  expect(verdict.gain).toBeGreaterThan(0.1);
  expect(verdict).toMatchObject({ isBetter: false });
  expect(verdict.why).toMatch(/^not better than control weights/);
});

// covers: FEATURES-GATE
test('learnFeatures stays off where features are noise, for 19 of 20 seeds or more', async () => {
  let open = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { weights } = await learn(examples(seed, 0));
    if (weights) open += 1;
  }

  expect(open).toBeLessThanOrEqual(1);
});

// covers: FEATURES-GATE
test('learnFeatures stays off where every tool has the same features', async () => {
  const same = new Float64Array(TRACE_FEATURES.length).fill(0.3);
  const constant = examples(1, 1).map((one) => ({
    ...one,
    features: one.features.map(() => same),
  }));

  const { weights, verdict } = await learn(constant);

  expect(weights).toBeUndefined();
  expect(verdict.why).toBe('past runs tell nothing that differs between tools');
});

// covers: FEATURES-COLD
test('learnFeatures stays off with few past requests', async () => {
  const { weights, verdict } = await learn(examples(1, 1).slice(0, 10));

  expect(weights).toBeUndefined();
  expect(verdict).toMatchObject({ gain: 0, isBetter: false });
});
