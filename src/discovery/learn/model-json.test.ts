import { expect, test } from 'vitest';

import { COLD_MODEL, defaultCalibration, MEMORY_MODEL } from '../../ranking/index.js';
import { modelFromJson, modelToJson } from './model-json.js';

const calibrated = { ...MEMORY_MODEL, calibration: defaultCalibration() };

test.each([{ ...COLD_MODEL, calibration: defaultCalibration(40) }, calibrated])(
  'a model comes back from JSON as it was',
  (model) => {
    const json = JSON.parse(JSON.stringify(modelToJson(model))) as ReturnType<typeof modelToJson>;

    expect(modelFromJson(json)).toEqual(model);
  },
);

test('a model with a signal more or less, or with a weight that is none, is of another version', () => {
  const { weights, calibration } = modelToJson(calibrated) as {
    weights: Record<string, number>;
    calibration: Record<string, number>;
  };
  const { vote: _vote, ...less } = weights;

  expect(modelFromJson({ weights: less, calibration })).toBeUndefined();
  expect(modelFromJson({ weights: { ...weights, more: 1 }, calibration })).toBeUndefined();
  expect(modelFromJson({ weights: { ...weights, vote: null }, calibration })).toBeUndefined();
  expect(modelFromJson({})).toBeUndefined();
});
