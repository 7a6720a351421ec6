import { describe, expect, test } from 'vitest';

import { flagsOf, readToolFlags } from './tool-flags.js';

const SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'where' },
    max_lines: { type: ['integer', 'null'] },
    ratio: { anyOf: [{ type: 'null' }, { type: 'number' }] },
    isDeep: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object' },
    order: { type: 'string', enum: ['asc', 'desc'] },
    anything: {},
  },
  required: ['path'],
};

const read = (...words: string[]) =>
  readToolFlags(words, { tool: 'fs:list', flags: flagsOf(SCHEMA), args: {} });

describe('readToolFlags', () => {
  test('readToolFlags reads each value as the type of its parameter, in any spelling of its name', () => {
    const args = read(
      '--path',
      'a b',
      '--max-lines=3',
      '--ratio',
      '0.5',
      '--is-deep',
      '--tags',
      'x',
      '--tags',
      'y',
      '--filter',
      '{"a": 1}',
      '--order',
      'desc',
      '--anything',
      '[1]',
    );

    expect(args).toEqual({
      path: 'a b',
      max_lines: 3,
      ratio: 0.5,
      isDeep: true,
      tags: ['x', 'y'],
      filter: { a: 1 },
      order: 'desc',
      anything: [1],
    });
    expect(read('--path=', '--no-isDeep', '--tags', '["x"]')).toEqual({
      path: '',
      isDeep: false,
      tags: ['x'],
    });
    expect(read('--path', '1', '--isDeep', 'false')).toEqual({ path: '1', isDeep: false });
  });

  test('readToolFlags prefers options to --args, which may hold required parameters', () => {
    const flags = flagsOf(SCHEMA);

    const args = readToolFlags(['--order=asc'], {
      tool: 't',
      flags,
      args: { path: 'p', order: 'desc' },
    });

    expect(args).toEqual({ path: 'p', order: 'asc' });
  });

  test.each([
    [['--pth', 'x'], 'did you mean --path?'],
    [['x'], '"x" is none'],
    [['--path'], 'needs a value (string)'],
    [['--path', 'x', '--max-lines', '1.5'], 'needs a whole number, got "1.5"'],
    [['--path', 'x', '--ratio', ''], 'needs a number'],
    [['--path', 'x', '--order', 'up'], 'is one of asc, desc, not "up"'],
    [['--path', 'x', '--filter', '[]'], 'needs a JSON object'],
    [['--isDeep'], 'fs:list needs --path <string>'],
  ])('readToolFlags refuses %j and says what is wrong', (words, message) => {
    expect(() => read(...words)).toThrow(message);
  });
});
