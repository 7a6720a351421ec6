import { expect, test } from 'vitest';

import {
  type ExecutionTrace,
  type JsonObject,
  runId,
  serverName,
  toolId,
} from '../../core/index.js';
import { TraceArchive } from './trace-archive.js';

const TOOL = toolId(serverName('mail'), 'send');

function trace(number: number, args: JsonObject = { to: `person ${number}` }): ExecutionTrace {
  return {
    id: `trace-${number}`,
    intent: `mail number ${number} — “ünïcode”`,
    at: new Date(1_000 * number),
    source: 'live',
    ok: number % 3 !== 0,
    calls: [{ tool: TOOL, ok: true, ms: 0.1 + number, args }],
    bindings: [],
    run: runId(`trace-${number}`),
    before: [{ tool: TOOL, ok: false }],
  };
}
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => trace(from + place));

test('an archive gives back every execution as it was added, oldest first', () => {
  const archive = new TraceArchive({ capacity: 1_000 });
  const all = many(300);

  for (let start = 0; start < all.length; start += 7) archive.add(all.slice(start, start + 7));

  expect([...archive.all()]).toStrictEqual(all);
  expect(archive.size).toBe(300);
  for (const one of all) expect(archive.get(one.id)).toStrictEqual(one);
  expect(archive.get('another')).toBeUndefined();
});

test('a full archive forgets exactly the oldest', () => {
  const archive = new TraceArchive({ capacity: 100 });

  for (let round = 0; round < 50; round++) archive.add(many(11, round * 11));

  const newest = many(100, 450);
  expect(archive.size).toBe(100);
  expect([...archive.all()]).toStrictEqual(newest);
  expect(archive.has('trace-449')).toBe(false);
  expect(archive.get('trace-449')).toBeUndefined();
  for (const one of newest) expect(archive.get(one.id)).toStrictEqual(one);
});

test('an archive smaller than a block forgets the oldest, too', () => {
  const archive = new TraceArchive({ capacity: 3 });

  for (const one of many(200)) archive.add([one]);

  expect([...archive.all()]).toStrictEqual(many(3, 197));
  expect(archive.get('trace-198')).toStrictEqual(trace(198));
});

test('reading is not disturbed by what is added meanwhile', () => {
  const archive = new TraceArchive({ capacity: 100 });
  archive.add(many(100));

  const before = archive.all();
  archive.add(many(100, 100));

  expect([...before]).toStrictEqual(many(100));
  expect([...before]).toStrictEqual(many(100));
});

test('20,000 executions take less than an eighth of what they are as text', () => {
  const archive = new TraceArchive({ capacity: 20_000 });
  const content = 'the quarterly report of the team in Berlin, with all its numbers';

  for (let start = 0; start < 20_000; start += 500) {
    archive.add(
      many(500, start).map((one, place) => ({ ...one, ...trace(start + place, { content }) })),
    );
  }

  const text = JSON.stringify([...archive.all()]).length;
  expect(archive.size).toBe(20_000);
  expect(archive.packedBytes).toBeLessThan(text / 8);
});
