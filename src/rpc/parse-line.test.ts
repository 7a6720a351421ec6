import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseLine } from './parse-line.js';

const message = { jsonrpc: '2.0', id: 1, result: { ok: true } };

describe('a line', () => {
  test.each([
    ['a request', { jsonrpc: '2.0', id: 'a', method: 'ping' }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an answer', message],
    ['an answer that is no object', { jsonrpc: '2.0', id: 1, result: null }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }],
    ['an error without an id', { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }],
  ])('parseLine reads a line with %s', (_kind, value) => {
    expect(parseLine(JSON.stringify(value))).toEqual([value]);
  });

  test('parseLine reads all messages of a batch and skips other values', () => {
    expect(parseLine(JSON.stringify([message, 7, message]))).toEqual([message, message]);
  });

  test.each(['', '42', 'null', '[]', '{}', '{"jsonrpc":"2.0"}', 'Server ready', '{"id":1'])(
    'parseLine rejects the line %j',
    (text) => {
      expect(parseLine(text)).toBeUndefined();
    },
  );

  test.each([
    ['jsonrpc', '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'],
    ['id', '{"id":1,"result":{"ok":true},"jsonrpc":"2.0"}'],
    ['result', '{ "result":{"ok":true},"id":1,"jsonrpc":"2.0"}'],
  ])('parseLine skips garbage before a message that begins with %s', (_key, text) => {
    expect(parseLine(`Loading {"id": ... ${text}`)).toEqual([message]);
  });

  test('parseLine never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(parseLine(`{"id":${text}`)?.length ?? 1).toBeGreaterThan(0);
      }),
    );
  });
});
