import fc from 'fast-check';
import { expect, test } from 'vitest';

import { FrameReader } from './frame-reader.js';
import { encodeFrame, wrapContent } from './frames.js';

/** What a reader makes of chunks. */
function read(chunks: readonly Buffer[], mostBytes = Infinity) {
  const frames: string[][] = [];
  const broken: string[] = [];
  const reader = new FrameReader(
    ({ origin, header, body }) => frames.push([origin, header, body.toString()]),
    (why) => broken.push(why),
  );
  reader.mostBytes = mostBytes;
  for (const chunk of chunks) {
    reader.push(chunk);
    reader.take();
  }
  return { frames, broken };
}

function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length];
  let from = 0;
  return ends.toSorted((a, b) => a - b).map((end) => bytes.subarray(from, (from = end)));
}

test('frames arrive whole and in order, however the bytes are cut', () => {
  const header = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'));
  const frame = fc.tuple(
    fc.constantFrom('guest', 'process'),
    header,
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(frame), fc.array(fc.nat()), (frames, places) => {
      const bytes = Buffer.concat(
        frames.map(([origin, head, body]) => encodeFrame(origin, head, body)),
      );

      expect(read(cut(bytes, places))).toEqual({ frames, broken: [] });
    }),
  );
});

test('any bytes at all are frames or a complaint, never an exception', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (chunks) => {
      expect(
        read(
          chunks.map((chunk) => Buffer.from(chunk)),
          1_000,
        ).broken.length,
      ).toBeLessThan(2);
    }),
  );
});

test('a frame that is too long is refused by its length, and nothing after it is read', () => {
  const long = encodeFrame('guest', '{}', 'x'.repeat(100));

  const seen = read([long.subarray(0, 5), encodeFrame('guest', '{}')], 50);

  expect(seen).toEqual({ frames: [], broken: ['a frame of 103 bytes'] });
});

test('an unknown origin and a missing header are refused', () => {
  const strange = Buffer.from(encodeFrame('guest', '{}'));
  strange.writeUInt8(9, 4);

  expect(read([strange]).broken).toHaveLength(1);
  expect(read([wrapContent('guest', Buffer.from('{}'))]).broken).toHaveLength(1);
});
