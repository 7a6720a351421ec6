import fc from 'fast-check';
import { expect, test } from 'vitest';

import { LineSplitter } from './line-splitter.js';

/** Few different bytes, so that newlines are common. */
const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x22, 0x61, 0xc3, 0xff), { maxLength: 200 });

test('lines are the same however the stream is cut into chunks', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(200), { maxLength: 20 }), (stream, cuts) => {
      const whole = Buffer.from(stream);
      const points = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const splitter = new LineSplitter(1_000);

      const lines = points.flatMap((from, i) => splitter.push(whole.subarray(from, points[i + 1])));

      const expected = whole.toString('latin1').split('\n');
      const rest = expected.pop() ?? '';
      expect(lines.map((line) => line.toString('latin1'))).toEqual(expected);
      expect(splitter.pendingBytes).toBe(rest.length);
    }),
  );
});

test('a line longer than allowed is an error before it has ended', () => {
  const splitter = new LineSplitter(10);
  expect(splitter.push(Buffer.from('123456\n12345'))).toHaveLength(1);

  expect(() => splitter.push(Buffer.from('6789012'))).toThrow(
    expect.objectContaining({ code: 'SERVER_TOO_LARGE' }) as Error,
  );
});
