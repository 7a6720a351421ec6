import { describe, expect, test } from 'vitest';

import { type ObservedOutput, type OutputStore, serverName, toolId } from '../../src/core/index.js';

const tool = (name: string) => toolId(serverName('files'), name);

function anOutput(name: string, overrides: Partial<ObservedOutput> = {}): ObservedOutput {
  return {
    tool: tool(name),
    definitionHash: 'hash-1',
    schema: { type: 'object', properties: { z: { type: 'string' }, a: {} }, required: ['z'] },
    observations: 1,
    ...overrides,
  };
}

/** What every `OutputStore` must do. The store is empty at first. */
export function describeOutputStore(engine: string, open: () => OutputStore): void {
  const find = async (name: string) =>
    (await open().load()).find((output) => output.tool === tool(name));

  describe(`OutputStore on ${engine}`, () => {
    test('output store is empty at first, and accepts an empty list', async () => {
      await open().save([]);

      expect(await open().load()).toEqual([]);
    });

    test('output store returns outputs exactly as saved, keys in their order', async () => {
      const odd = { enum: ['nul \0', 'half a pair \ud800', '🐘', null, 1e-9], z: 1, a: {} };
      const outputs = [anOutput('plain'), anOutput('odd', { schema: odd, observations: 1_000 })];

      await open().save(outputs);

      expect(await find('plain')).toStrictEqual(outputs[0]);
      expect(JSON.stringify(await find('odd'))).toBe(JSON.stringify(outputs[1]));
    });

    test('output store replaces the output of a tool, with the last of several given at once', async () => {
      await open().save([anOutput('changing'), anOutput('staying')]);
      const last = anOutput('changing', { definitionHash: 'hash-2', schema: {}, observations: 7 });

      await open().save([anOutput('changing', { observations: 5 }), last]);

      expect(await find('changing')).toEqual(last);
      expect(await find('staying')).toEqual(anOutput('staying'));
    });

    test('output store accepts a name that PostgreSQL cannot store', async () => {
      await open().save([anOutput('a\0b \ud800', { observations: 99 })]);

      const observations = (await open().load()).map((output) => output.observations);
      expect(observations).toContain(99);
    });

    test('output store accepts thousands of outputs, and schemas of megabytes', async () => {
      const many = Array.from({ length: 2_000 }, (_, index) => anOutput(`many-${index}`));
      const huge = anOutput('huge', { schema: { description: 'long '.repeat(500_000) } });

      await open().save([...many, huge]);

      expect(await find('huge')).toEqual(huge);
      const found = new Set((await open().load()).map((output) => output.tool));
      expect(many.filter((output) => !found.has(output.tool))).toEqual([]);
    });

    test('output store keeps every tool if several updates run at once', async () => {
      const [one, other] = [anOutput('one'), anOutput('other')];

      await Promise.all([open().save([one, other]), open().save([other, one])]);

      expect([await find('one'), await find('other')]).toEqual([one, other]);
    });
  });
}
