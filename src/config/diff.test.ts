import { expect, test } from 'vitest';

import { diffConfigs } from './diff.js';
import { parseConfig } from './load.js';

const load = (value: object, env = {}) =>
  parseConfig(JSON.stringify(value), { path: '/p/pml.json', env });

test('the configuration diff names added, removed, changed, disabled and broken servers', () => {
  const before = load({
    mcpServers: {
      fs: { command: 'x' },
      old: { command: 'x' },
      off: { command: 'x' },
      b: { command: 'x' },
    },
  });
  const after = load({
    mcpServers: {
      fs: { command: 'x', args: ['-v'], env: { TOKEN: 'hunter2' } },
      github: { url: 'https://x.example' },
      off: { command: 'x', enabled: false },
      b: { command: '${NOPE}' },
    },
  });

  expect(diffConfigs(before, after)).toEqual([
    expect.stringContaining('! server b: environment variable NOPE is not set'),
    '~ server fs: args changed, env changed (TOKEN)',
    '+ server github',
    '~ server off: disabled',
    '- server old',
  ]);
});

test('the configuration diff shows settings before and after, but no secret', () => {
  const before = load({ http: { token: 'secret-secret-1' + 'x' }, permissions: { deny: ['a:*'] } });
  const after = load({
    exposure: 'proxy',
    http: { token: 'secret-secret-2x' },
    limits: { runTasks: 5 },
    database: 'postgres://u:secret@h/d',
  });

  const lines = diffConfigs(before, after);

  expect(lines).toEqual([
    'database changed',
    'exposure: meta → proxy',
    'http.token changed',
    'limits.runTasks: 200 → 5',
    'permissions.deny: ["a:*"] → []',
  ]);
});

test('the configuration diff is empty for the same configuration', () => {
  const config = { mcpServers: { fs: { command: 'x' } }, exposure: 'proxy' };

  expect(diffConfigs(load(config), load(config))).toEqual([]);
});
