import { describe, expect, test } from 'vitest';

import { maskForms } from './secret-forms.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N';

describe('maskForms hides', () => {
  test.each([
    ['password=hunter2', 'password=***'],
    ['login failed: password=hunter2, user=ada', 'login failed: password=***, user=ada'],
    ['token=abc123def', 'token=***'],
    ['DB_PASSWORD=correct-horse', 'DB_PASSWORD=***'],
    ['AWS_SECRET_ACCESS_KEY=abcd/efgh+ij', 'AWS_SECRET_ACCESS_KEY=***'],
    ['api_key: k-123456', 'api_key: ***'],
    ['x-api-key: k-123456', 'x-api-key: ***'],
    ['{"password":"hunter 2","user":"ada"}', '{"password":"***","user":"ada"}'],
    [String.raw`{\"accessToken\":\"abc.def\"}`, String.raw`{\"accessToken\":\"***\"}`],
    ["clientSecret: 'it is so'", "clientSecret: '***'"],
    ['Authorization: Bearer abc', 'Authorization: Bearer ***'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic ***'],
    ['{"Authorization":"Bearer abc.def"}', '{"Authorization":"***"}'],
    ['sent Bearer abc123def456', 'sent Bearer ***'],
    ['Cookie: a=1; session=abc', 'Cookie: ***'],
    ['GET https://x.example/a?token=abc123&page=2', 'GET https://x.example/a?token=***&page=2'],
    ['postgres://ada:s3cret@db.example/x', 'postgres://ada:***@db.example/x'],
    ['redis://:s3cret@cache:6379', 'redis://:***@cache:6379'],
    ['run --api-key k-12345678 --verbose', 'run --api-key *** --verbose'],
    ['run --token=k-12345678', 'run --token=***'],
    ['log in, the password is Hunter2', 'log in, the password is ***'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', '***'],
    ['key sk-proj-0123456789abcdefABCDEF refused', 'key *** refused'],
    ['AKIAIOSFODNN7EXAMPLE', '***'],
    ['xoxb-1234567890-abcdef', '***'],
    [`got ${JWT}`, 'got ***'],
    [`session-${JWT}`, 'session-***'],
    [`eyJabc-${JWT}.`, '***.'],
    ['a-very-long-'.repeat(20) + 'password=hunter2', 'a-very-long-'.repeat(20) + 'password=***'],
    [String.raw`{\\\"password\\\":\\\"a b\\\"}`, String.raw`{\\\"password\\\":\\\"***\\\"}`],
    ['Set-Cookie: id=abc; Path=/', 'Set-Cookie: ***'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----', '***'],
  ])('maskForms hides the secret of %s', (text, masked) => {
    expect(maskForms(text)).toBe(masked);
    expect(maskForms(masked)).toBe(masked);
  });
});

describe('maskForms leaves alone', () => {
  test.each([
    'the token is valid',
    'your secret is safe with us',
    'max_tokens=100',
    'max_tokens: 4096',
    'token_count: 5',
    'tokens=123456',
    'token: 42',
    'password_reset_enabled=true',
    'password=true',
    'password: required',
    'password: must be at least 8 characters',
    'nextPageToken: CAUQAA',
    'page_token=abcdef',
    'Unexpected token: string',
    'Unexpected token } in JSON at position 5',
    'Token validation failed',
    'Basic authentication is required',
    'Bearer authentication is not supported',
    'the token is invalid',
    'the password is wrong',
    'secret_santa=ada',
    'key: value',
    'primary_key: user_id',
    'tokenizer: cl100k_base',
    'authorized: yes',
    'GITHUB_TOKEN=${GITHUB_TOKEN}',
    'const { token } = args; call({ token: args.token })',
    'https://example.com:8080/a@b',
    'mailto:ada@example.com',
    '2026-07-28T10:11:12.345Z INFO started pid=123 version=2025-11-25',
    'run_Ab3dEf6hIj9kLmN failed after 12 ms',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'cookie: accepted',
  ])('maskForms leaves alone %s', (text) => {
    expect(maskForms(text)).toBe(text);
  });
});

describe('maskForms', () => {
  test.each([
    ['', 'the quick brown fox '],
    ['', 'eyJaaaaaaaa-'],
    ['', 'eyJaaaaaaaa.eyJ'],
    ['', 'a-'],
    ['', 'a.'],
    ['', 'a='],
    ['', 'a://x:'],
    ['', 'a.a.a.a.a.a://x:'],
    ['', 'SG.aaaaaaaaaaaaaaaaaaaa'],
    ['', 'password='],
    ['', 'password=$'],
    ['', 'password=args.-'],
    ['', 'password="\\'],
    ['', 'password is -'],
    ['', 'cookie:'],
    ['', 'cookie: a '],
    ['', 'token: '],
    ['', '--token "$ '],
    ['', 'Bearer '],
    ['', '-----BEGIN PRIVATE KEY-----'],
    ['password="', '\\'],
    ['password=', '\\'],
    ['a-a-a-a-a-a-a-a', '\\'],
    ['Bearer', ' '],
    ['--token', ' '],
    ['password', ' '],
    ['password is', ' '],
    ['password is ', '-'],
  ])('maskForms takes linear time for a long text of %j and many %j', (start, unit) => {
    const msOf = (length: number) => {
      const text = start + unit.repeat(length / unit.length);
      const began = process.cpuUsage();
      maskForms(text);
      return process.cpuUsage(began).user / 1_000;
    };
    // CPU time of this process and the best of several tries: other work shares the machine.
    const bestMs = (length: number) => Math.min(...[1, 2, 3].map(() => msOf(length)));

    // Quadratic work would be a hundred times as much.
    expect(bestMs(200_000)).toBeLessThan(40 * Math.max(bestMs(20_000), 2));
  });

  test('maskForms takes at most a few times as long for any text as for ordinary words', () => {
    const msOf = (unit: string, start: string) => {
      const text = start + unit.repeat(200_000 / unit.length);
      const began = process.cpuUsage();
      maskForms(text);
      return process.cpuUsage(began).user / 1_000;
    };
    const bestMs = (unit: string, start = '') =>
      Math.min(...[1, 2, 3].map(() => msOf(unit, start)));
    const wordsMs = Math.max(bestMs('the quick brown fox '), 2);

    const slow = [
      ['password=$'],
      ['password=args.-'],
      ['cookie:'],
      ['cookie: a '],
      ['a-'],
      ['a='],
      ['\\', 'password="'],
    ].filter(([unit = '', start]) => bestMs(unit, start) > 25 * wordsMs);

    expect(slow).toEqual([]);
  });

  test('maskForms hides a secret at any position in a long text', () => {
    const filler = 'eyJaaaaaaaa- word: a-b '.repeat(10_000);

    const masked = maskForms(`${filler}${JWT} ${filler}password=hunter2 ${filler}`);

    expect(masked.split(filler)).toEqual(['', '*** ', 'password=*** ', '']);
  });
});

test.each([['xoxb-0123456789'], ['pwd=abc'], ['token: abcd'], ['--token s3cr3t']])(
  'maskForms hides the secret in a text as short as %s',
  (text) => {
    expect(maskForms(text)).toContain('***');
  },
);
