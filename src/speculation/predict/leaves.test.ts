import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../../core/index.js';
import { argsOfLeaves, leafName, leavesOfArgs, MOST_LEAVES } from './leaves.js';

describe('leaves of arguments', () => {
  test('leavesOfArgs finds leaves by path, and argsOfLeaves puts them together again', () => {
    const args = { filter: { ids: [7, 'b'], 'a.b[0]': null }, empty: [], none: {}, on: true };

    const leaves = leavesOfArgs(args);

    expect([...(leaves?.keys() ?? [])]).toContain('filter.ids[1]');
    expect(argsOfLeaves(leaves ?? [])).toEqual(args);
  });

  test('argsOfLeaves restores any arguments from their leaves', () => {
    const isKept = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (made) => {
      const args = JSON.parse(JSON.stringify(made)) as JsonObject;
      const leaves = leavesOfArgs(args);
      return !leaves || isDeepStrictEqual(argsOfLeaves(leaves), args);
    });

    expect(() => fc.assert(isKept)).not.toThrow();
  });

  test('leavesOfArgs does not split documents', () => {
    const rows = Array.from({ length: MOST_LEAVES + 1 }, (_, at) => at);

    expect(leavesOfArgs({ rows })).toBeUndefined();
  });

  test('leafName compares parameters by the last name of a path', () => {
    expect(['filter.Ids[0]', '$[*].id', 'path'].map(leafName)).toEqual(['ids', 'id', 'path']);
  });
});
