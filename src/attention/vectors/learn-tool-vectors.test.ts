import { expect, test } from 'vitest';

import { toyVector } from '../../../test/helpers/toy-embedder.js';
import { firstOf, slangTask, TOOL_TEXTS } from '../../../test/helpers/vector-task.js';
import { parseToolId } from '../../core/index.js';
import { createVectorIndex } from '../../search/index.js';
import { learnToolVectors } from './learn-tool-vectors.js';
import { packVectors, unpackVectors } from './pack-vectors.js';
import { learnedTools, VectorScorer } from './tool-vectors.js';

const ids = TOOL_TEXTS.map((_, row) => parseToolId(`s:tool${row}`).id);
const known = ids.map((id) => ({ id, hash: `hash of ${id}` }));

function frozen() {
  const index = createVectorIndex<(typeof ids)[number]>(64);
  ids.forEach((id, row) => index.set(id, toyVector(TOOL_TEXTS[row]!)));
  return index;
}

test('learned vectors find tools for new requests whose words the tools do not have', () => {
  const task = slangTask();

  const { heldOut, learned } = learnToolVectors(task);

  expect(firstOf(task, heldOut)).toBeGreaterThan(0.5);
  expect(learned.figures.variation).toBeGreaterThan(0.1);
});

test('shuffled labels teach nothing that holds for requests held out', () => {
  const task = slangTask({ rightOf: (place) => (place * 7 + (place >> 3) * 5 + (place >> 4)) % 8 });

  expect(firstOf(task, learnToolVectors(task).heldOut)).toBeLessThan(0.3);
});

test('the same requests teach the same vectors', () => {
  const task = slangTask({ count: 48 });

  expect(learnToolVectors(task)).toEqual(learnToolVectors(task));
});

test('a planted request of the same fold does not change the score of the request held out', () => {
  const task = slangTask({ count: 96 });
  const [first] = task.requests;
  const planted = { ...first!, right: [5], isHeldOut: false };

  const before = learnToolVectors(task).heldOut[0];
  const after = learnToolVectors({ ...task, requests: [...task.requests, planted] }).heldOut[0];

  expect(after).toEqual(before);
});

test('a scorer of all learned tools ranks as the vectors did that it was made of', () => {
  const { learned } = learnToolVectors(slangTask());
  const scorer = new VectorScorer(learnedTools(learned, { tools: known, space: 'toy' }));

  const score = scorer.score([toyVector('yeet it now')], frozen());

  expect(ids.toSorted((one, other) => score(other) - score(one))[0]).toBe(ids[1]);
  expect(score(parseToolId('s:unknown').id)).toBe(0);
});

test('vectors come back from their bytes as they were, and damaged bytes not at all', () => {
  const { learned } = learnToolVectors(slangTask({ count: 48 }));
  const vectors = learnedTools(learned, { tools: known, space: 'toy' });

  const packed = packVectors(vectors);

  expect(unpackVectors(packed)).toEqual({ ...vectors, scale: Math.fround(vectors.scale) });
  expect(unpackVectors({ ...packed, weights: packed.weights.slice(4) })).toBeUndefined();
  expect(unpackVectors({ ...packed, tools: packed.tools.slice(1) })).toBeUndefined();
  const wrong = packed.weights.slice();
  wrong.fill(255, 8, 12);
  expect(unpackVectors({ ...packed, weights: wrong })).toBeUndefined();
});

test('a tool whose text changed loses its residual, and the other tools keep theirs', () => {
  const { learned } = learnToolVectors(slangTask());
  const vectors = learnedTools(learned, { tools: known, space: 'toy' });
  const without = new VectorScorer({
    ...vectors,
    residuals: vectors.residuals.map((value, at) => (Math.floor(at / 64) === 1 ? 0 : value)),
    biases: vectors.biases.map((value, row) => (row === 1 ? 0 : value)),
  });
  const scorer = new VectorScorer(vectors);
  const question = [toyVector('yeet it now')];
  const before = scorer.score(question, frozen())(ids[1]!);

  for (const { id, hash } of known) scorer.check(id, id === ids[1] ? 'another text' : hash);

  const after = scorer.score(question, frozen());
  expect(scorer.size).toBe(7);
  expect(after(ids[1]!)).toBeLessThan(before - 1);
  const expected = without.score(question, frozen());
  for (const id of ids) expect(after(id)).toBeCloseTo(expected(id), 5);
});

test('tools that no request was for have no residual to keep', () => {
  const { learned } = learnToolVectors(slangTask({ count: 48, rightOf: () => 0 }));
  const spread = learnedTools(
    { ...learned, residuals: learned.residuals.fill(0, 64), biases: learned.biases.fill(0, 1) },
    { tools: known, space: 'toy' },
  );

  expect(spread.tools).toEqual([known[0]]);
  expect(spread.residuals).toHaveLength(64);
});
