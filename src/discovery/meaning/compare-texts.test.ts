import { expect, test } from 'vitest';

import { ToyEmbedder, type ToyOptions } from '../../../test/helpers/toy-embedder.js';
import { silentLogger as log } from '../../core/index.js';
import { compareTexts } from './compare-texts.js';
import { VectorSource } from './vector-source.js';

function open(options?: ToyOptions) {
  const embedder = new ToyEmbedder(options);
  return { embedder, source: new VectorSource({ embedder, store: undefined, log }) };
}

test('texts of like meaning come out nearer than others, and each is nearest to itself', async () => {
  const { source } = open();

  const similarity = await compareTexts(source, ['id of a user', 'a user', 'colour'], log);

  expect(similarity?.('a user', 'a user')).toBeCloseTo(1);
  expect(similarity?.('id of a user', 'a user')).toBeGreaterThan(
    similarity?.('id of a user', 'colour') ?? 1,
  );
  expect(similarity?.('a user', 'never given')).toBeUndefined();
});

test('a model that is not loaded is not waited for', async () => {
  const { source, embedder } = open({ isReady: false });

  expect(await compareTexts(source, ['a'], log)).toBeUndefined();
  expect(embedder.texts).toEqual([]);
});

test('a model that fails or is slow is done without', async () => {
  const { source, embedder } = open();
  embedder.failure = new Error('out of memory');
  expect(await compareTexts(source, ['a'], log)).toBeUndefined();

  embedder.failure = undefined;
  embedder.gate = new Promise(() => {});
  expect(await compareTexts(source, ['b'], log)).toBeUndefined();
});
