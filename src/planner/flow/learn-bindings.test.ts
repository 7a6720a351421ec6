import { describe, expect, test } from 'vitest';

import { calibrated } from './calibrate-bindings.js';
import { learnBindings } from './learn-bindings.js';

const pause = async () => {};
const claims = (groups: number, of: number, isRight: (at: number) => boolean) =>
  Array.from({ length: groups * of }, (_, at) => {
    return { confidence: 0.9, isRight: isRight(at), group: `g${at % groups}` };
  });

describe('the probabilities of bindings', () => {
  test('probabilities of bindings are lowered if many different procedures prove them too high', async () => {
    const {
      calibration,
      heldOut,
      claims: used,
    } = await learnBindings(
      claims(20, 2, (at) => at % 4 === 0),
      pause,
    );

    expect(heldOut).toMatchObject({ isBetter: true, groups: 20, answers: 40 });
    expect(calibrated(0.9, calibration)).toBeLessThan(0.6);
    // Each claim is judged without its own procedure.
    expect(Math.max(...used.map(({ confidence }) => confidence))).toBeLessThan(0.6);
  });

  test('probabilities of bindings stay as shipped if they are right', async () => {
    const learned = await learnBindings(
      claims(20, 2, (at) => at % 10 !== 0),
      pause,
    );

    expect(learned.calibration).toBeUndefined();
    expect(learned.heldOut.isBetter).toBe(false);
    expect(learned.claims[0]?.confidence).toBe(0.9);
  });

  test('probabilities of bindings stay as shipped if only one procedure was repeated', async () => {
    const { calibration, heldOut } = await learnBindings(
      claims(1, 200, () => false),
      pause,
    );

    expect(calibration).toBeUndefined();
    expect(heldOut.why).toContain('1 different requests prove nothing yet');
  });

  test('probabilities of bindings stay as shipped without any executions', async () => {
    const { calibration, claims: none } = await learnBindings([], pause);

    expect([calibration, none]).toEqual([undefined, []]);
  });
});
