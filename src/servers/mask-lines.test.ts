import fc from 'fast-check';
import { expect, test } from 'vitest';

import { maskSecrets } from '../core/index.js';
import { LineMask } from './mask-lines.js';

const SECRET = 'correct horse battery';
const lineMask = () => new LineMask((line) => maskSecrets(line, [SECRET]));

test('LineMask hides a secret however the stream is cut into chunks', () => {
  const stream = Buffer.from(`été ${SECRET} done\npassword=hunter22 max_tokens=5\nrest ${SECRET}`);
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 10 }), (cuts) => {
      const points = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      const mask = lineMask();

      const parts = points.map((from, at) => mask.push(stream.subarray(from, points[at + 1])));
      const written = parts.join('') + mask.flush();

      expect(written).toBe('été *** done\npassword=*** max_tokens=5\nrest ***');
    }),
  );
});

test('LineMask hides every line of a private key and goes on after it', () => {
  const mask = lineMask();
  const key = '-----BEGIN PRIVATE KEY-----\nMIIabc\nMIIdef\n-----END PRIVATE KEY-----\nafter\n';

  const written = mask.push(Buffer.from(key));

  expect(written).toBe('***\n***\n***\n***\nafter\n');
});

test('LineMask does not keep a line without an end for ever', () => {
  const mask = lineMask();

  const written = mask.push(Buffer.from(`${'word '.repeat(20_000)}${SECRET.slice(0, 7)}`));

  expect(written.length).toBeGreaterThan(90_000);
  expect(mask.flush()).toBe(` ${SECRET.slice(0, 7)}`);
});

test('LineMask shows what follows the mention of a private key', () => {
  const mask = lineMask();

  const written = mask.push(
    Buffer.from('no -----BEGIN PRIVATE KEY----- found\nlistening on port 80\nready, at last\n'),
  );

  expect(written).toBe('no ***\nlistening on port 80\nready, at last\n');
});

test('LineMask hides a key with headers, and one whose lines a logger began with the time', () => {
  const mask = lineMask();
  const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    'Proc-Type: 4,ENCRYPTED',
    'DEK-Info: AES-128-CBC,0123456789ABCDEF',
    '',
    `12:00:01 info ${base64}`,
    base64,
    'q83vEg==',
    '-----END RSA PRIVATE KEY-----',
  ];

  const written = mask.push(Buffer.from(`${key.join('\n')}\nafter all\n`));

  expect(written).toBe(`${'***\n'.repeat(key.length)}after all\n`);
});

test('LineMask hides no more lines than a key has when its end never comes', () => {
  const mask = lineMask();

  const written = mask.push(Buffer.from(`-----BEGIN PRIVATE KEY-----\n${'word\n'.repeat(1_000)}`));

  expect(written.split('word\n').length).toBeGreaterThan(800);
});

test('LineMask forgets a key with the end of its stream', () => {
  const mask = lineMask();
  mask.push(Buffer.from('-----BEGIN PRIVATE KEY-----\nMIIabc'));

  expect(mask.flush()).toBe('***');
  expect(mask.push(Buffer.from('started\n'))).toBe('started\n');
});
