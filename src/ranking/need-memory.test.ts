import { describe, expect, test } from 'vitest';

import { anIntent, aQuestion, id, withoutVectors } from '../../test/helpers/past-intent.js';
import { NeedMemory } from './need-memory.js';

const options = {
  isLeftOut: () => false,
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
