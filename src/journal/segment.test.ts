import { describe, expect, test } from 'vitest';

import { fileNameOf, missingNumbers, parseFileName, resolveSegments } from './segment.js';

const found = (...names: readonly string[]) => names.flatMap((name) => parseFileName(name) ?? []);

describe('segments found in a directory', () => {
  test('segments are recognized by their names, and other files are not', () => {
    const names = ['000007.log', '1000000.log', '000003-000007.2.log'];

    expect(found(...names).map(fileNameOf)).toEqual(names);
    expect(found('7.log', '000001.log.corrupt-9', '000001-000002.1.log.draft', 'x')).toEqual([]);
  });

  test('segments do not count once a rewritten one replaces them', () => {
    const { current, replaced } = resolveSegments(
      found('000001.log', '000002.log', '000003.log', '000001-000002.1.log'),
    );

    expect(current.map(fileNameOf)).toEqual(['000001-000002.1.log', '000003.log']);
    expect(replaced.map(fileNameOf)).toEqual(['000001.log', '000002.log']);
    const again = resolveSegments(
      found('000001-000003.2.log', '000001-000002.1.log', '000003.log'),
    );
    expect(again.current.map(fileNameOf)).toEqual(['000001-000003.2.log']);
  });

  test('segments are missing where the numbers have a gap', () => {
    const gaps = (...names: readonly string[]) => missingNumbers(found(...names));

    expect(gaps('000001.log', '000002-000004.1.log', '000005.log')).toEqual([]);
    expect(gaps('000002.log', '000005.log')).toEqual([1, 3, 4]);
  });
});
