import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anIntent, aQuestion, id, withoutVectors } from '../../../test/helpers/past-intent.js';
import type { ToolId } from '../../core/index.js';
import { createVectorIndex } from '../../search/index.js';
import type { Need, PastIntent } from '../question.js';
import { NeedMemory } from './need-memory.js';
import { SHARPNESS } from './neighbour-weight.js';

const options = {
  leftOut: [],
  base: () => 0.1,
  unrelated: { mean: 0.3, deviation: 0.2 },
};

function memoryOf(...intents: Parameters<typeof anIntent>[]): NeedMemory {
  const memory = new NeedMemory(64);
  for (const intent of intents) memory.add(anIntent(...intent));
  return memory;
}

const twoTasks = () =>
  memoryOf(
    ['one', ['mail:send', 'web:search'], { needs: ['send a mail', 'search the web'] }],
    ['two', ['mail:send', 'fs:read'], { needs: ['send a mail', 'read the file'] }],
  );

describe('votes', () => {
  test('a need that comes back comes with its own tool', () => {
    const votes = twoTasks().votes(aQuestion('all', ['send a mail']), options);

    expect(votes.get(id('mail:send'))!.vote).toBeGreaterThan(votes.get(id('fs:read'))!.vote);
    expect(votes.get(id('mail:send'))!.lift).toBeGreaterThan(0);
  });

  test('a question that is one need is compared as a whole', () => {
    const votes = twoTasks().votes(aQuestion('read the file'), options);

    expect([...votes.keys()].toSorted()).toEqual([id('fs:read'), id('mail:send')]);
  });

  test('the best of several needs counts', () => {
    const alone = twoTasks().votes(aQuestion('all', ['search the web']), options);
    const both = twoTasks().votes(aQuestion('all', ['search the web', 'read the file']), options);

    expect(both.get(id('web:search'))).toEqual(alone.get(id('web:search')));
    expect(both.get(id('fs:read'))!.vote).toBeGreaterThan(0);
  });

  test('one neighbour is not a certainty, and a usual tool is not lifted', () => {
    const memory = memoryOf(['one', ['mail:send'], { needs: ['send a mail'] }]);

    const votes = memory.votes(aQuestion('send a mail'), { ...options, base: () => 1 });

    expect(votes.get(id('mail:send'))!.vote).toBeLessThan(0.9);
    expect(votes.get(id('mail:send'))!.lift).toBe(0);
  });

  test('nothing alike, nothing remembered or no vectors: no votes', () => {
    expect(twoTasks().votes(aQuestion('compile kernel modules'), options).size).toBe(0);
    expect(memoryOf().votes(aQuestion('send a mail'), options).size).toBe(0);
    expect(twoTasks().votes(withoutVectors(aQuestion('send a mail')), options).size).toBe(0);
  });
});

test('a need lives as long as any request that has it', () => {
  const memory = twoTasks();

  memory.remove(anIntent('one', ['mail:send'], { needs: ['send a mail', 'search the web'] }));

  const votes = memory.votes(aQuestion('send a mail'), options);
  expect([...votes.keys()].toSorted()).toEqual([id('fs:read'), id('mail:send')]);
  memory.remove(anIntent('two', ['mail:send'], { needs: ['send a mail', 'read the file'] }));
  expect(memory.votes(aQuestion('send a mail'), options).size).toBe(0);
});

/** The share of each tool for one need, from every request that has a need as near as any. */
function plainShares(intents: readonly PastIntent[], { vector }: Need): Map<ToolId, number> {
  const needs = new Map<string, Float32Array>();
  for (const one of intents) for (const need of one.needs) needs.set(need.text, need.vector!);
  const index = createVectorIndex<string>(64);
  for (const [text, own] of needs) index.set(text, own);
  const { mean, deviation } = options.unrelated;
  const near = index
    .nearest(vector!, 30)
    .filter(({ similarity }) => (similarity - mean) / deviation > 2);
  const best = near[0]?.similarity ?? 0;
  const sums = new Map<ToolId, number>();
  let total = 0;
  for (const { key, similarity } of near) {
    for (const { tools, needs: own } of intents) {
      if (!own.some(({ text }) => text === key)) continue;
      const weight = Math.exp((similarity - best) / SHARPNESS);
      total += weight;
      for (const tool of tools) sums.set(tool, (sums.get(tool) ?? 0) + weight);
    }
  }
  const trust = ((best - mean) / (1 - mean)) ** 2;
  for (const [tool, sum] of sums) sums.set(tool, (trust * sum) / (total + 0.5));
  return sums;
}

test('votes are those of every request by itself, but for those left out', () => {
  const tools = fc.subarray(['mail:send', 'fs:read', 'web:search'], { minLength: 1 });
  const texts = ['send a mail', 'send the mail', 'read the file', 'search the web'];
  const needs = fc.subarray(texts, { minLength: 1 });
  const requests = fc.array(fc.record({ tools, needs, isLeftOut: fc.boolean() }), { maxLength: 9 });
  fc.assert(
    fc.property(requests, fc.constantFrom(...texts), (all, asked) => {
      const intents = all.map((one, place) => anIntent(`i${place}`, one.tools, one));
      const memory = new NeedMemory(64);
      for (const intent of intents) memory.add(intent);
      const leftOut = intents.filter((_, place) => all[place]!.isLeftOut);
      const kept = intents.filter((_, place) => !all[place]!.isLeftOut);
      const question = aQuestion(asked);

      const votes = memory.votes(question, { ...options, leftOut });

      const expected = plainShares(kept, question);
      expect([...votes.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
      for (const [tool, { vote }] of votes) expect(vote).toBeCloseTo(expected.get(tool)!, 9);
    }),
  );
});
