import { expect, test } from 'vitest';

import type { LogFields } from '../core/index.js';
import { createLogger } from './logger.js';

function logged(message: string, fields: LogFields = {}, secrets: readonly string[] = []): string {
  const lines: string[] = [];
  const log = createLogger({
    level: 'info',
    write: (line) => void lines.push(line),
    secrets: () => secrets,
    now: () => new Date(0),
  });
  log.info(message, fields);
  return lines.join('').replace('1970-01-01T00:00:00.000Z INFO  ', '');
}

test('logger writes one line with plain values as they are and others quoted', () => {
  expect(logged('ready', { pid: 7, path: '/a/b', why: 'two words', none: undefined })).toBe(
    'ready pid=7 path=/a/b why="two words"\n',
  );
});

test('logger shows control characters of messages, fields and items as escapes', () => {
  const line = logged('m\u001B[2K', { text: 'a\u009B2K', items: ['b\u001B[1A\nc', 'd\u202E'] });

  expect(line).toBe(
    String.raw`m\u{1b}[2K text="a\u{9b}2K" items: ` +
      '\n    ' +
      String.raw`b\u{1b}[1A\u{a}c ` +
      '\n    ' +
      String.raw`d\u{202e}` +
      '\n',
  );
});

test('logger masks a secret even if quoting would change it', () => {
  const secret = 'line one\nsays "two"';
  const fields = { text: `got ${secret}`, plain: secret, items: [secret], token: 'x' };

  expect(logged(`saw ${secret}`, fields, [secret])).toBe(
    'saw *** text="got ***" plain=*** items: \n    *** token=***\n',
  );
});
