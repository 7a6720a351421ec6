import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Frame, FrameOrigin } from './frames.js';
import { readFrame } from './read-frame.js';

const frame = (origin: FrameOrigin, header: unknown, body = ''): Frame => ({
  origin,
  header: typeof header === 'string' ? header : JSON.stringify(header),
  body: Buffer.from(body),
});

test('readFrame lets neither a guest speak for its process nor a process for its guest', () => {
  expect(readFrame(frame('process', { type: 'ready' }))).toEqual({ type: 'ready' });
  expect(readFrame(frame('guest', { type: 'ready' }))).toBeUndefined();
  expect(readFrame(frame('guest', { type: 'waiting', heard: 0 }))).toBeUndefined();
  expect(readFrame(frame('process', { type: 'returned' }, '1'))).toBeUndefined();
});

test('readFrame reads a call with its arguments', () => {
  const header = { type: 'call', id: 1, kind: 'tool', name: 'a:b', extra: 'ignored' };

  expect(readFrame(frame('guest', header, '{"x":1}'))).toEqual({
    type: 'call',
    call: { id: 1, kind: 'tool', name: 'a:b', args: { x: 1 } },
  });
});

test.each([
  [{ type: 'call', id: 1.5, kind: 'tool', name: 'a:b' }, '{}'],
  [{ type: 'call', id: -1, kind: 'tool', name: 'a:b' }, '{}'],
  [{ type: 'call', id: 1, kind: 'shell', name: 'a:b' }, '{}'],
  [{ type: 'call', id: 1, kind: 'tool', name: 7 }, '{}'],
  [{ type: 'call', id: 1, kind: 'tool', name: 'a:b' }, 'not json'],
  [{ type: 'log', level: 'fatal' }, 'x'],
  [{ type: 'operated' }, '{}'],
  [{ type: 'operated' }, '[{"site":-1}]'],
  [{ type: 'limit', limit: 'none' }, ''],
  [{ type: 'threw', error: { name: 1 } }, ''],
  [[], ''],
  ['null', ''],
])('readFrame does not understand %j with %j', (header, body) => {
  expect(readFrame(frame('guest', header, body))).toBeUndefined();
});

test('readFrame refuses too long names and too deeply nested values with a reason', () => {
  const call = (name: string) => ({ type: 'call', id: 1, kind: 'tool', name });

  expect(readFrame(frame('guest', call('x'.repeat(600)), '{}'))).toMatchObject({ type: 'refused' });
  expect(readFrame(frame('guest', call('a:b'), '['.repeat(999) + ']'.repeat(999)))).toMatchObject({
    type: 'refused',
  });
});

test('readFrame returns a message or nothing for any header and body, and never throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<FrameOrigin>('guest', 'process'),
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.record({
          type: fc.constantFrom('call', 'log', 'operated', 'returned', 'threw', 'limit', 'stopped'),
          id: fc.jsonValue(),
          error: fc.jsonValue(),
        }),
      ),
      fc.oneof(fc.string(), fc.json()),
      (origin, header, body) => {
        const message = readFrame(frame(origin, header, body));

        expect(message === undefined || typeof message.type === 'string').toBe(true);
      },
    ),
  );
});
