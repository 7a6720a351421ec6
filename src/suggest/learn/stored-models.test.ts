import { expect, test } from 'vitest';

import { DEFAULT_MODELS, type Models } from './models.js';
import { packModels, unpackModels } from './stored-models.js';

const models: Models = {
  ...DEFAULT_MODELS,
  members: DEFAULT_MODELS.members.map((weight) => weight / 3),
  curve: [{ from: 0.2, to: 0.4 }] as unknown as Models['curve'],
  features: { next: Float64Array.of(0.1, 0.2) },
  attention: {
    borrows: true,
    heads: [{ name: 'about', weights: Float64Array.of(0.5, -0.25, 1 / 3) }],
  },
};
const here = { space: 'gte-small/384', headWeights: 3 };

test('stored models come back to the last digit', () => {
  const stored: ReturnType<typeof packModels> = JSON.parse(
    JSON.stringify(packModels(models, here)),
  );

  expect(unpackModels(stored, here)).toEqual(models);
});

test('stored models of another embedding space are not used', () => {
  const stored = packModels(models, here);

  expect(unpackModels(stored, { ...here, space: 'other/512' })).toBeUndefined();
  // At the start of a process the space is not known yet.
  expect(unpackModels(stored, { ...here, space: undefined })).toBeDefined();
});

test('stored models of other signals are not used', () => {
  const stored = packModels(models, here);

  expect(unpackModels({ ...stored, signals: 'older' }, here)).toBeUndefined();
  expect(unpackModels(stored, { ...here, headWeights: 4 })).toBeUndefined();
});
