import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { builtInModel } from './find-model.js';
import { parseVocabulary, wordPieceIds } from './wordpiece.js';

const vocabulary = parseVocabulary(readFileSync(builtInModel().vocabulary, 'utf8'));
const ids = (text: string) => wordPieceIds(text, vocabulary, 512);

/** What `@huggingface/tokenizers` 0.2.0 gives for the tokenizer.json of gte-small. */
const REFERENCE: readonly (readonly [string, readonly number[]])[] = [
  ['', [101, 102]],
  ['hello world', [101, 7592, 2088, 102]],
  [
    'Élan vital, naïve café! ÀÉÎÕÜ',
    [101, 3449, 2319, 8995, 1010, 15743, 7668, 999, 29347, 3695, 2226, 102],
  ],
  ['ﬁnance ﬂow', [101, 1984, 7229, 3401, 1985, 5004, 102]],
  [
    '日本語のテスト 中文字符',
    [101, 1864, 1876, 1950, 1671, 30239, 30233, 30240, 1746, 1861, 100, 100, 102],
  ],
  ['emoji 👩‍👩‍👧‍👦 🎉🚀 ok', [101, 7861, 29147, 2072, 100, 100, 7929, 102]],
  [
    'getHTTPResponseCode_v2-final',
    [101, 2131, 11039, 25856, 6072, 26029, 3366, 16044, 1035, 1058, 2475, 1011, 2345, 102],
  ],
  [
    'tab\tnew\nline\r\n\u0085x\u200Bzero\u00A0nbsp\uFEFFbom\0nul\uFFFDrep',
    [
      101, 21628, 2047, 2240, 1060, 6290, 2080, 1050, 5910, 2361, 5092, 2213, 11231, 20974, 13699,
      102,
    ],
  ],
  ['İstanbul ŞğıÖ ẞ ß', [101, 9960, 22214, 11722, 2080, 1096, 1096, 102]],
  ['Привет, мир', [101, 1194, 16856, 10325, 25529, 15290, 22919, 1010, 1191, 10325, 16856, 102]],
  [
    'x²+y₂ ≠ ½ €5 £3 ¥7 ©®™',
    [
      101, 1060, 10701, 1009, 1061, 8229, 1027, 1092, 1574, 2629, 28182, 1071, 2581, 1075, 29656,
      30108, 102,
    ],
  ],
  ['…—–“quoted”‘x’', [101, 1529, 1517, 1516, 1523, 9339, 1524, 1520, 1060, 1521, 102]],
  ['e\u0301 combining \u0301 start', [101, 1041, 11566, 2707, 102]],
  ['\uD800 lone', [101, 10459, 102]],
];

describe('tokens of a text', () => {
  test.each(REFERENCE)('of %j are those of the reference', (text, expected) => {
    expect(ids(text)).toEqual(expected);
  });

  test('a word of more than 100 characters is unknown, one of 100 is not', () => {
    expect(ids('b'.repeat(101))).toEqual([101, 100, 102]);
    expect(ids('b'.repeat(100))).not.toContain(100);
  });

  test('special tokens in a text are text', () => {
    expect(ids('a [SEP] b').filter((id) => id === 102)).toHaveLength(1);
  });

  test('a long text is cut and still ends', () => {
    const cut = wordPieceIds('word, '.repeat(20_000), vocabulary, 128);

    expect(cut).toHaveLength(128);
    expect(cut.at(-1)).toBe(102);
    expect(cut.slice(0, 127)).toEqual(ids('word, '.repeat(200)).slice(0, 127));
  });

  test('a vocabulary without special tokens is refused', () => {
    expect(() => parseVocabulary('a\nb\n')).toThrow('the vocabulary has no [UNK]');
  });
});
