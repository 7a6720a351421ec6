import { describe, expect, test } from 'vitest';

import { serverSpec } from '../../../test/helpers/gateway-settings.js';
import type { JsonValue } from '../json.js';
import type { ServerSpec } from '../server-spec.js';
import { maskJson, maskKnown, maskSecrets, specSecrets } from './secrets.js';

const remote = (url: string, headers = {}): ServerSpec => {
  const { name, toolsDeny, configHash } = serverSpec('s');
  const rest = { timeoutMs: undefined, maxConcurrency: undefined, start: undefined } as const;
  return {
    ...rest,
    kind: 'http',
    name,
    toolsDeny,
    configHash,
    toolsAllow: undefined,
    isolation: 'shared',
    url,
    headers,
  };
};

describe('specSecrets', () => {
  test('specSecrets finds the password and the token of a URL', () => {
    const secrets = specSecrets(remote('https://ada:pass%20word@x.example/?api_key=k-1&page=two'));

    expect(secrets).toEqual(['pass%20word', 'pass word', 'k-1']);
  });

  test('specSecrets finds a header with and without its scheme', () => {
    const secrets = specSecrets(remote('https://x.example/', { Authorization: 'Token abcdef' }));

    expect(secrets).toEqual(['Token abcdef', 'abcdef']);
  });

  test('specSecrets finds the argument after an option for a secret, and no other', () => {
    const args = [
      'serve',
      '--api-key',
      'k-111111',
      '--token=k-222222',
      '--password',
      '--max-tokens',
      '100',
    ];
    const spec = { ...serverSpec('s'), kind: 'stdio', command: 'x', cwd: undefined, env: {}, args };

    expect(specSecrets(spec as ServerSpec)).toEqual(['k-111111', 'k-222222']);
  });
});

test('maskSecrets hides a value in every encoding that texts use', () => {
  const secret = 'a "b" &\nsecond line';

  const text = [JSON.stringify({ secret }), encodeURIComponent(secret), 'the second line'].join(
    ' ',
  );

  expect(maskSecrets(text, [secret])).toBe('{"secret":"***"} *** the ***');
});

test('maskKnown leaves the forms of secrets alone, and maskSecrets masks them', () => {
  expect(maskKnown('password=hunter22', [])).toBe('password=hunter22');
  expect(maskSecrets('password=hunter22', [])).toBe('password=***');
});

test('maskJson hides texts at any depth, and every text under the name of a secret', () => {
  const mask = (text: string) => maskSecrets(text, ['sesame-1']);
  const value = {
    a: ['got sesame-1', 7, null],
    password: 'x',
    max_tokens: 5,
    nested: { token: '' },
  };

  expect(maskJson(value, mask)).toEqual({
    a: ['got ***', 7, null],
    password: '***',
    max_tokens: 5,
    nested: { token: '' },
  });
});

test('maskJson hides what nests too deep and keeps the shape above it', () => {
  let deep: JsonValue = 'sesame-1';
  for (let level = 0; level < 500; level++) deep = [deep];
  const value = {
    content: [
      { type: 'text', text: 'got sesame-1' },
      { type: 'text', _meta: { deep } },
    ],
  };

  const masked = maskJson(value, (text) => maskSecrets(text, ['sesame-1']));

  expect(masked).toMatchObject({ content: [{ text: 'got ***' }, { type: 'text', _meta: {} }] });
  expect(JSON.stringify(masked)).toMatch(/\[{90,100}"\*\*\*"\]{90,100}/);
});

test('maskJson leaves a value of 100 levels unchanged', () => {
  let deep: JsonValue = 'fine';
  for (let level = 0; level < 100; level++) deep = [deep];

  expect(maskJson(deep, (text) => text)).toEqual(deep);
});
