import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anIntent, aQuestion, id, withoutVectors } from '../../../test/helpers/past-intent.js';
import type { PastIntent, Question } from '../question.js';
import { IntentMemory } from './intent-memory.js';
import { UNRELATED } from './neighbour-weight.js';
import { WordMemory } from './word-memory.js';

const TOOLS = ['mail:send', 'mail:read', 'fs:read', 'web:search'] as const;
const WORDS = ['send', 'read', 'mail', 'file', 'search', 'web'] as const;

function memoryOf(intents: readonly PastIntent[], capacity = 100): IntentMemory {
  const memory = new IntentMemory({ dimension: 64, capacity });
  for (const intent of intents) memory.add(intent);
  return memory;
}

/** All outputs of a memory, rounded: the order of summation changes sums slightly. */
function told(memory: IntentMemory, question: Question, withoutGroup?: string) {
  const recall = memory.recall(question, withoutGroup === undefined ? {} : { withoutGroup });
  const round = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(4)) + 0 : value;
  const all = {
    nearest: recall.nearest,
    tools: [...recall.tools].toSorted(),
    of: TOOLS.map((tool) => recall.of(id(tool))),
    uses: TOOLS.map((tool) => recall.company.uses(id(tool))),
    companions: TOOLS.map((tool) =>
      Array.from(recall.company.companions(id(tool)), (pair) => pair.join()).toSorted(),
    ),
  };
  return JSON.parse(JSON.stringify(all, round)) as unknown;
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * other[at]!, 0);
}

const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(' '));
const needs = fc.array(text, { maxLength: 3 });
const intents = fc
  .array(
    fc.record({
      text,
      needs,
      tools: fc.uniqueArray(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 3 }),
      group: fc.constantFrom('g1', 'g2', 'g3'),
      hasVectors: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ text: own, tools, group, needs: parts, hasVectors }, place) => {
      const intent = anIntent(own, tools, { id: `i${place}`, group, needs: parts });
      return hasVectors ? intent : withoutVectors(intent);
    }),
  );
const questions = fc.tuple(text, needs).map(([own, parts]) => aQuestion(own, parts));

describe('a repeated request', () => {
  test('a repeated request gets its tools after a single success, also in another letter case', () => {
    const memory = new IntentMemory({ dimension: 64 });
    memory.add(anIntent('Ping Anna, now!', ['mail:send']));

    const recall = memory.recall(withoutVectors(aQuestion('ping anna now')));

    expect(recall.of(id('mail:send')).repeat).toBe(1);
    expect(memory.recall(aQuestion('read the log')).of(id('mail:send')).repeat).toBe(0);
    expect(recall.say).toBe(0);
  });

  test('a repeated request does not count as another request that used the tool', () => {
    const memory = new IntentMemory({ dimension: 64 });
    memory.add(anIntent('ping anna', ['mail:send'], { id: 'a' }));
    memory.add(anIntent('Ping Anna', ['mail:send'], { id: 'b' }));
    expect(memory.recall(aQuestion('write to bob')).recurrence).toBe(0);

    memory.add(anIntent('write to carl', ['mail:send']));
    expect(memory.recall(aQuestion('write to bob')).recurrence).toBe(1);
  });
});

describe('recall', () => {
  test('recall gives most votes to the tools of the most similar requests', () => {
    const memory = memoryOf([
      anIntent('send a mail to anna', ['mail:send']),
      anIntent('send a mail to bob', ['mail:send']),
      anIntent('read the log file', ['fs:read']),
    ]);

    const recall = memory.recall(aQuestion('send a mail to carl'));

    expect(recall.of(id('mail:send')).vote).toBeGreaterThan(0.9);
    expect(recall.of(id('fs:read')).vote).toBeLessThan(0.1);
    expect(recall.of(id('mail:send')).words).toBeGreaterThan(recall.of(id('fs:read')).words);
    expect(recall.of(id('mail:read')).serverVote).toBeGreaterThan(0.9);
    expect(recall.of(id('mail:send')).uses).toBe(2);
    expect(recall.nearest).toBeGreaterThan(0);
  });

  test('recall gives an unrelated request hardly any votes, however uniform the past is', () => {
    const memory = memoryOf([anIntent('send a mail to anna', ['mail:send'])]);
    const question = aQuestion('send a mail to carl');
    const votes = (mean: number) =>
      memory.recall(question, { unrelated: { mean, deviation: 0.05 } }).of(id('mail:send')).vote;

    expect(votes(0.1)).toBeGreaterThan(0.9);
    expect(votes(0.75)).toBeLessThan(0.1);
  });

  test('recall without vectors still uses the words of past requests', () => {
    const memory = memoryOf([withoutVectors(anIntent('send a mail', ['mail:send']))]);

    const recall = memory.recall(withoutVectors(aQuestion('mail anna')));

    expect(recall.of(id('mail:send'))).toMatchObject({
      vote: 0,
      near: 0,
      uses: 1,
    });
    expect(recall.of(id('mail:send')).words).toBeGreaterThan(0.3);
    expect([...recall.tools]).toEqual([id('mail:send')]);
    expect(recall.nearest).toBe(0);
  });

  test('recall is empty if the memory is empty or holds only the excluded group', () => {
    const memory = memoryOf([anIntent('send a mail', ['mail:send'], { group: 'g' })]);
    const nothing = told(memoryOf([]), aQuestion('send a mail'));

    expect(told(memory, aQuestion('send a mail'), 'g')).toEqual(nothing);
  });

  test('recall gives shares within [0, 1] and no negative numbers', () => {
    fc.assert(
      fc.property(intents, questions, (all, question) => {
        const recall = memoryOf(all).recall(question);

        for (const tool of TOOLS) {
          const { vote, near, words, needs: need, serverVote } = recall.of(id(tool));
          for (const share of [vote, words, need.vote, serverVote]) {
            expect(share >= 0 && share <= 1 + 1e-6).toBe(true);
          }
          expect(near >= 0 && need.lift >= 0).toBe(true);
        }
      }),
    );
  });

  test('recall rates each tool by the best of all requests it served', () => {
    fc.assert(
      fc.property(intents, questions, (all, question) => {
        const recall = memoryOf(all).recall(question);

        const words = new WordMemory();
        all.forEach((one, place) => words.add(place, one.text));
        const overlaps = words.overlaps(question.text);
        const most = Math.max(0, ...overlaps);
        for (const tool of TOOLS) {
          const served = all.flatMap((one, place) => (one.tools.includes(id(tool)) ? [place] : []));
          const share = Math.max(0, ...served.map((place) => overlaps[place]!));
          const above = served.flatMap((place) => {
            const { vector }: Question = all[place]!;
            return vector ? [cosine(vector, question.vector!) / 0.1 - UNRELATED] : [];
          });

          expect(recall.of(id(tool)).words).toBe(share / (most + 0.15));
          // Vectors are rounded to bytes: a cosine may be off by some thousandths.
          expect(recall.of(id(tool)).near).toBeCloseTo(Math.max(0, ...above), 1);
          expect(recall.of(id(tool)).uses).toBe(served.length);
        }
      }),
    );
  });

  test('recall without a group equals that of a memory that never had the group', () => {
    fc.assert(
      fc.property(intents, questions, (all, question) => {
        const without = memoryOf(all.filter(({ group }) => group !== 'g1'));

        expect(told(memoryOf(all), question, 'g1')).toEqual(told(without, question));
      }),
      { numRuns: 300 },
    );
  });
});

describe('add and remove', () => {
  test('IntentMemory keeps nothing of removed requests', () => {
    fc.assert(
      fc.property(intents, questions, (all, question) => {
        const memory = memoryOf(all);
        const [kept, other] = [all.slice(0, 5), all.slice(5)];

        for (const one of other) memory.remove(one.id);

        expect(memory.size).toBe(kept.length);
        expect(told(memory, question)).toEqual(told(memoryOf(kept), question));
      }),
    );
  });

  test('IntentMemory evicts the oldest requests beyond its capacity', () => {
    fc.assert(
      fc.property(intents, questions, (all, question) => {
        const memory = memoryOf(all, 4);

        expect(memory.size).toBe(Math.min(4, all.length));
        expect(told(memory, question)).toEqual(told(memoryOf(all.slice(-4)), question));
      }),
    );
  });

  test('IntentMemory holds a request added twice once, in its newest form', () => {
    const memory = memoryOf([
      anIntent('send a mail', ['mail:send'], { id: 'one' }),
      anIntent('read a file', ['fs:read'], { id: 'one' }),
    ]);

    expect(Array.from(memory.ids(), (one) => memory.get(one)?.tools)).toEqual([[id('fs:read')]]);
    expect(told(memory, aQuestion('send mail'))).toEqual(
      told(memoryOf([anIntent('read a file', ['fs:read'])]), aQuestion('send mail')),
    );
  });

  test('IntentMemory ignores a request that no tool served', () => {
    const memory = memoryOf([anIntent('send a mail', [])]);

    expect([memory.size, memory.has('send a mail')]).toEqual([0, false]);
  });

  test('IntentMemory refuses a vector of another dimension', () => {
    const memory = new IntentMemory({ dimension: 8 });

    expect(() => memory.add(anIntent('send a mail', ['mail:send']))).toThrow(TypeError);
  });
});
