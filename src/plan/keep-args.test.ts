import fc from 'fast-check';
import { expect, test } from 'vitest';

import { task } from '../../test/helpers/run-parts.js';
import type { JsonObject } from '../core/index.js';
import { keepArgs, literalArgs } from './keep-args.js';

const mask = (text: string) => text.replaceAll('hunter22', '***');
const plain = (text: string) => text;

test('literalArgs keeps written values and drops values from other calls, context and results', () => {
  const args = {
    repo: 'acme/site',
    labels: ['bug'],
    user: '${find.id}',
    body: 'see ${find.url}',
    all: { inner: { $ref: 'find' } },
    who: '${context.user}',
    table: { $result: 'r_1', path: 'rows' },
    matched: 'user-17',
    shell: 'echo ${HOME}',
  };

  const kept = literalArgs(task('use', ['find'], { args }), new Set(['matched']), plain);

  expect(kept).toEqual({ repo: 'acme/site', labels: ['bug'], shell: 'echo ${HOME}' });
});

test('keepArgs drops configured secrets and values whose parameter name suggests a secret', () => {
  const args = {
    note: 'the word is hunter22',
    deep: { list: ['hunter22'] },
    hunter22: 1,
    map: { hunter22: 1 },
    password: 'abc',
    apiKey: 'abc',
    login: { access_token: 'abc' },
    token: 'abc',
    max_tokens: 5,
    key: 'PROJ-1',
  };

  const kept = keepArgs(args, mask);

  expect(kept).toEqual({ max_tokens: 5, key: 'PROJ-1' });
});

test('keepArgs drops long, oversized or too deep values and keeps the others whole', () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 50_000; level++) deep = { deep };
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, 'x'.repeat(280)]));

  expect(keepArgs({ text: 'x'.repeat(301), deep, path: '/a' }, plain)).toEqual({ path: '/a' });
  expect(Object.keys(keepArgs({ ...many, last: 1 }, plain))).toEqual([
    'p0',
    'p1',
    'p2',
    'p3',
    'p4',
    'p5',
    'p6',
    'last',
  ]);
});

test('keepArgs never exceeds its byte limit and never alters a value it keeps', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (given) => {
      const args = given as JsonObject;
      const kept = keepArgs(args, mask);
      expect(args).toMatchObject(kept);
      expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(2_048 + 2);
    }),
  );
});
