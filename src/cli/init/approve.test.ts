import pc from 'picocolors';
import { expect, test } from 'vitest';

import { parseConfig } from '../../config/load.js';
import { describeTrustable } from './approve.js';

/** Removes only our own colours, so that escapes from the file stay visible. */
function withoutStyle(line: string): string {
  return [pc.bold('|'), pc.dim('|'), pc.yellow('|')]
    .flatMap((styled) => styled.split('|'))
    .filter((code) => code !== '')
    .reduce((text, code) => text.replaceAll(code, ''), line);
}

function shown(config: object, env: Record<string, string> = {}): string[] {
  const loaded = parseConfig(JSON.stringify(config), { path: '/p/pml.json', env });
  return describeTrustable(loaded).map(withoutStyle);
}

test('the approval prompt shows everything that the user approves, as the file states it', () => {
  const lines = shown(
    {
      mcpServers: {
        local: {
          command: 'node',
          args: ['s.js', '${SECRET}'],
          env: { NODE_OPTIONS: '--require ./evil.js', API_KEY: 'k1', TOKEN: '${SECRET}' },
          cwd: '../elsewhere',
          tools: { deny: ['rm'] },
        },
        far: { url: 'https://x.example/', headers: { Authorization: 'Bearer ${SECRET}' } },
        later: { command: 'sleeper', enabled: false },
        lacking: { command: '${NOPE}', env: { A: 'b' } },
      },
      permissions: { allow: ['*'], ask: ['a:*', { tool: 'b:*', by: 'person' }] },
      definitionChanges: 'warn',
      http: { host: '0.0.0.0', token: '${SECRET}' },
      database: 'postgres://db.example/x',
      dataDir: '/tmp/d',
      logLevel: 'debug',
    },
    { SECRET: 'a-very-secret-value' },
  );

  expect(lines).toEqual([
    '/p/pml.json starts:',
    '  local',
    "      node s.js '${SECRET}'",
    "      env NODE_OPTIONS='--require ./evil.js' API_KEY=k1 TOKEN='${SECRET}'",
    '      in ../elsewhere',
    '      tools {"deny":["rm"]}',
    '  far',
    '      https://x.example/',
    "      headers Authorization='Bearer ${SECRET}'",
    '  later (disabled)',
    '      sleeper',
    '  lacking',
    "      '${NOPE}'",
    '      env A=b',
    expect.stringContaining('      cannot be used now: environment variable NOPE is not set'),
    'and sets:',
    '  permissions {"allow":["*"],"ask":["a:*",{"by":"person","tool":"b:*"}]}',
    '  definitionChanges "warn"',
    '  http {"host":"0.0.0.0","token":"${SECRET}"}',
    '  database "postgres://db.example/x"',
    '  dataDir "/tmp/d"',
  ]);
});

test('the approval prompt escapes control sequences of the file', () => {
  const repaint = '\u001B[2K\u009B1A\r\u202E';
  const config = {
    mcpServers: {
      a: {
        command: `x${repaint}`,
        args: [repaint],
        env: { [`E${repaint}`]: repaint },
        cwd: repaint,
      },
      b: { url: 'https://x.example/', headers: { [`H${repaint}`]: repaint } },
    },
    permissions: { ask: [repaint] },
    dataDir: repaint,
  };

  const lines = describeTrustable(
    parseConfig(JSON.stringify(config), { path: `/p/${repaint}/pml.json`, env: {} }),
  ).map(withoutStyle);

  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(lines).toContainEqual(
    expect.stringContaining(String.raw`x\u{1b}[2K\u{9b}1A\u{d}\u{202e}`),
  );
});
