import fc from 'fast-check';
import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import { ToolLists } from './tool-lists.js';

const TOOLS = ['a:one', 'a:two', 'b:three', 'c:four'].map(id);

test('the same tools have the same number for as long as a list holds them', () => {
  const lists = new ToolLists();
  const [one, again] = [lists.take(TOOLS.slice(0, 2)), lists.take(TOOLS.slice(0, 2))];

  expect(again).toBe(one);
  lists.letGo(one);
  expect(lists.toolsOf(one)).toEqual(TOOLS.slice(0, 2));
  expect(lists.take(TOOLS.slice(2))).not.toBe(one);
});

test('the best of each tool is that of the lists that are held, whatever was before', () => {
  const tools = fc.subarray(TOOLS, { minLength: 1 });
  const value = fc.double({ min: 0, max: 1, noNaN: true });
  const given = fc.array(fc.record({ tools, value, isLetGo: fc.boolean() }), { maxLength: 12 });
  fc.assert(
    fc.property(given, (all) => {
      const lists = new ToolLists();
      const taken = all.map((one) => lists.take(one.tools));
      all.forEach(({ isLetGo }, place) => {
        if (isLetGo) lists.letGo(taken[place]!);
      });
      const kept = all.filter(({ isLetGo }) => !isLetGo);
      const values = new Float64Array(lists.bound);
      for (const one of kept) {
        const list = lists.take(one.tools);
        values[list] = Math.max(values[list]!, one.value);
      }

      const best = lists.bestByTool(values);

      for (const tool of TOOLS) {
        const own = kept.filter((one) => one.tools.includes(tool)).map((one) => one.value);
        expect(best.get(tool) ?? 0).toBe(Math.max(0, ...own));
      }
    }),
  );
});
