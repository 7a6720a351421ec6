import { expect, test } from 'vitest';

import { maskSecrets } from '../core/index.js';
import { parseConfig } from './load.js';
import { secretsOf } from './secrets.js';

function masked(text: string, config: object, env: Record<string, string> = {}): string {
  const loaded = parseConfig(JSON.stringify(config), { path: '/p/pml.json', env });
  return maskSecrets(text, secretsOf(loaded));
}

test.each([
  ['args', { command: 'x', args: ['--key=${KEY}'] }],
  ['command', { command: 'run-${KEY}' }],
  ['url', { url: 'https://x.example/mcp?key=${KEY}' }],
  ['a part of env', { command: 'x', env: { URL: 'https://u:${KEY}@x.example/' } }],
  ['a part of a header', { url: 'https://x.example/', headers: { Cookie: 'a=1; id=${KEY}' } }],
])('secrets from the environment are masked in %s', (_place, entry) => {
  const env = { KEY: 'sk-123456' };

  expect(masked('refused: sk-123456', { mcpServers: { s: entry } }, env)).toBe('refused: ***');
});

test('masking leaves paths, switches, short values and defaults of the file readable', () => {
  const args = ['${HOME}/data', '${DEBUG}', '${SHORT}', '${UNSET:-ordinary}'];
  const env = { HOME: '/home/me', DEBUG: 'false', SHORT: 'abc' };
  const text = '/home/me/data false abc ordinary';

  expect(masked(text, { mcpServers: { s: { command: 'x', args } } }, env)).toBe(text);
});

test('a variable with the name of a secret is masked even if its value looks like a path', () => {
  const config = { mcpServers: { s: { command: 'x', args: ['${API_KEY}'] } } };

  expect(masked('got /AbC+123', config, { API_KEY: '/AbC+123' })).toBe('got ***');
});

test('masking hides the HTTP token and the database password', () => {
  const config = { http: { token: '${T}' }, database: 'postgres://u:${P}@db.example/x' };
  const env = { T: 'token-of-16-chars', P: 'pass-word' };

  expect(masked('token-of-16-chars pass-word', config, env)).toBe('*** ***');
});
