import { expect, test } from 'vitest';

import { requestOfEvent, streamOfEvent, writeEventId } from './event-id.js';

const STREAM = '0b5a7f0e-6f0e-4b57-9d53-2f6f0f6f1c11';
const forged = (text: string) => `${STREAM}_0000000001~${Buffer.from(text).toString('base64url')}`;

test.each([0, 7, -1, 1.5, 'a', '', '~_ü\n', '5'])(
  'an event id names its stream and the request %j',
  (request) => {
    const id = writeEventId(STREAM, 3, request);

    expect([streamOfEvent(id), requestOfEvent(id)]).toEqual([STREAM, request]);
    expect(id).toMatch(/^[\w~-]+$/);
  },
);

test('an event of no request, or of one with a very long id, names none', () => {
  const ids = [writeEventId('_GET_stream', 1, undefined), writeEventId(STREAM, 1, 'x'.repeat(300))];

  expect(ids.map(streamOfEvent)).toEqual(['_GET_stream', STREAM]);
  expect(ids.map(requestOfEvent)).toEqual([undefined, undefined]);
});

test.each([
  ['an object', forged('{"a":1}')],
  ['a list', forged('[1]')],
  ['null', forged('null')],
  ['a number without end', forged('1e999')],
  ['JSON written otherwise', forged(' 1')],
  ['no JSON', forged('x')],
  ['a very long id', forged(JSON.stringify('x'.repeat(300)))],
  ['padding', `${forged('1')}==`],
  ['nothing', `${STREAM}_0000000001~`],
  ['no count', `${STREAM}~${Buffer.from('1').toString('base64url')}`],
  ['two requests', `${forged('1')}~MQ`],
  ['a second line', `${forged('1')}\n`],
])('an event id with %s names no request', (_what, id) => {
  expect(requestOfEvent(id)).toBeUndefined();
});
