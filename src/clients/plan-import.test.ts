import { describe, expect, test } from 'vitest';

import type { JsonObject, JsonValue } from '../core/index.js';
import { type Client, clientFiles, type Machine } from './client-files.js';
import { planImport } from './plan-import.js';
import type { ReadFile } from './read-client-file.js';

const machine: Machine = { platform: 'linux', home: '/home/me', cwd: '/p', env: {} };

function read(client: Client, value: JsonObject, scope: 'user' | 'project' = 'user'): ReadFile {
  const file = clientFiles(client, machine).find((found) => found.scope === scope);
  if (!file) throw new Error(`${client} has no ${scope} file`);
  const source = { bytes: Buffer.from(''), text: '', mark: '' };
  return { file, state: { status: 'read', source, value } };
}

const check = (entry: JsonObject) =>
  entry['command'] === undefined && entry['url'] === undefined ? 'has neither' : undefined;

function plan(files: readonly ReadFile[], existing: Record<string, JsonValue> = {}) {
  const result = planImport(files, { machine, existing, check });
  const entries = Object.fromEntries(result.servers.map(({ name, entry }) => [name, entry]));
  return { ...result, entries, notes: result.servers.flatMap(({ notes }) => notes) };
}

describe('formats', () => {
  // covers: INIT-IMPORT
  test('import from Claude Code takes servers of the user and of this directory, and keeps variables', () => {
    const { entries } = plan([
      read('claude-code', {
        mcpServers: { a: { type: 'stdio', command: 'x', args: ['${A:-b}'], env: {} } },
        projects: {
          '/p': { mcpServers: { b: { type: 'http', url: 'https://${H}/' } } },
          '/other': { mcpServers: { c: { command: 'no' } } },
        },
      }),
    ]);

    expect(entries).toEqual({
      a: { command: 'x', args: ['${A:-b}'], env: {} },
      b: { type: 'http', url: 'https://${H}/' },
    });
  });

  test('import from Claude Desktop keeps text that only looks like a variable', () => {
    const { entries } = plan([
      read('claude-desktop', { mcpServers: { a: { command: 'sh', args: ['-c', 'echo ${X}'] } } }),
    ]);

    expect(entries['a']?.['args']).toEqual(['-c', 'echo $${X}']);
  });

  test('import from Cursor resolves references, home and disabled flags, and names what only Cursor can use', () => {
    const { entries, notes } = plan([
      read('cursor', {
        mcpServers: {
          a: {
            command: '${userHome}/x',
            env: { T: '${env:TOKEN}', PORT: 3000, NONE: null },
            disabled: true,
            alwaysAllow: ['t'],
          },
        },
      }),
    ]);

    expect(entries['a']).toEqual({
      command: '/home/me/x',
      env: { T: '${TOKEN}', PORT: '3000' },
      enabled: false,
    });
    expect(notes).toContain('"alwaysAllow" belongs to the client and is left out');
  });

  test('import from VS Code turns inputs into environment variables and reports them', () => {
    const { entries, notes } = plan([
      read('vscode', {
        inputs: [
          { id: 'gh-token', type: 'promptString', description: 'GitHub token', password: true },
          { id: 'region', type: 'promptString', default: 'eu' },
        ],
        servers: {
          a: {
            type: 'stdio',
            command: 'x',
            args: ['${workspaceFolder}/a', '${input:region}'],
            env: { T: '${input:gh-token}' },
          },
        },
      }),
    ]);

    expect(entries['a']).toEqual({
      command: 'x',
      args: ['/p/a', '${REGION:-eu}'],
      env: { T: '${GH_TOKEN}' },
    });
    expect(notes.join('\n')).toContain('set the environment variable GH_TOKEN');
    expect(notes.join('\n')).toContain('"GitHub token"');
  });

  test('import from Windsurf reads serverUrl and disabled tools', () => {
    const { entries } = plan([
      read('windsurf', {
        mcpServers: { a: { serverUrl: 'https://x.example/mcp', disabledTools: ['rm'] } },
      }),
    ]);

    expect(entries['a']).toEqual({ url: 'https://x.example/mcp', tools: { deny: ['rm'] } });
  });
});

test('a project server that depends on its directory keeps that directory', () => {
  const { entries } = plan([
    read(
      'cursor',
      {
        mcpServers: {
          a: { command: './run.sh' },
          b: { command: 'fs', args: ['.'] },
          c: { command: 'x', cwd: 'sub' },
          d: { command: 'x' },
        },
      },
      'project',
    ),
  ]);

  expect(entries).toEqual({
    a: { command: './run.sh', cwd: '/p' },
    b: { command: 'fs', args: ['.'], cwd: '/p' },
    c: { command: 'x', cwd: '/p/sub' },
    d: { command: 'x' },
  });
});

describe('clashes', () => {
  test('the same server in two clients is imported once, enabled if either client enables it', () => {
    const { servers } = plan([
      read('cursor', { mcpServers: { fs: { command: 'x', args: [], disabled: true } } }),
      read('windsurf', { mcpServers: { fs: { command: 'x', env: {} } } }),
    ]);

    expect(servers).toHaveLength(1);
    expect(servers[0]?.entry).not.toHaveProperty('enabled');
    expect(servers[0]?.sources.map(({ client }) => client)).toEqual(['cursor', 'windsurf']);
  });

  test('different servers with one name are both imported, the later one under its client name', () => {
    const { entries, notes } = plan([
      read('cursor', { mcpServers: { fs: { command: 'x' } } }),
      read('windsurf', { mcpServers: { fs: { command: 'y' } } }),
    ]);

    expect(entries).toEqual({ fs: { command: 'x' }, 'fs-windsurf': { command: 'y' } });
    expect(notes).toEqual(['renamed from "fs": another server has that name']);
  });

  test('a project file never takes the name or the enabled state of a user server', () => {
    const { entries } = plan([
      read('cursor', { mcpServers: { fs: { command: 'evil' }, off: { command: 'o' } } }, 'project'),
      read('windsurf', {
        mcpServers: { fs: { command: 'x' }, off: { command: 'o', disabled: true } },
      }),
    ]);

    expect(entries).toEqual({
      fs: { command: 'x' },
      off: { command: 'o', enabled: false },
      'fs-cursor': { command: 'evil' },
    });
  });

  test('a configured server stays as the user set it', () => {
    const files = [read('cursor', { mcpServers: { fs: { command: 'x' }, gh: { command: 'g' } } })];
    const existing = { fs: { command: 'x', timeoutMs: 5 }, gh: { command: 'other' } };

    const { entries, known } = plan(files, existing);

    expect(entries).toEqual({ 'gh-cursor': { command: 'g' } });
    expect(known.map(({ name }) => name)).toEqual(['fs']);
    expect(plan(files, { ...existing, ...entries }).servers).toEqual([]);
  });

  test('invalid server names are changed and reported', () => {
    const { entries, notes } = plan([
      read('cursor', {
        mcpServers: {
          'my server!': { command: 'a' },
          a__b: { command: 'b' },
          日本: { command: 'c' },
        },
      }),
    ]);

    expect(Object.keys(entries)).toEqual(['my-server', 'a_b', 'server']);
    expect(notes).toContain('renamed from "my server!", which is not a possible name here');
  });

  test('two servers whose long names differ only at the end are both imported', () => {
    const long = 'n'.repeat(80);
    const { entries } = plan([
      read('cursor', {
        mcpServers: { [`${long}1`]: { command: 'a' }, [`${long}2`]: { command: 'b' } },
      }),
    ]);

    expect(Object.values(entries)).toEqual([{ command: 'a' }, { command: 'b' }]);
  });
});

test('broken entries are listed with the reason and do not affect the others', () => {
  const { broken, entries } = plan([
    read('cursor', { mcpServers: { a: 5, b: { args: [] }, c: { command: 'ok' } } }),
  ]);

  expect(broken.map(({ name, reason }) => [name, reason])).toEqual([
    ['a', 'expected an object, got 5'],
    ['b', 'has neither'],
  ]);
  expect(Object.keys(entries)).toEqual(['c']);
});

test('entries that start PML are skipped, however they are written', () => {
  const { skipped, entries } = plan([
    read('cursor', {
      mcpServers: {
        pml: { command: 'node', args: ['/src/pml/dist/cli.js', 'serve'] },
        other: { command: 'npx', args: ['-y', 'pml@latest', 'serve'] },
        bin: { command: '/usr/local/bin/pml', args: ['serve'] },
        installed: { command: '/n/bin/node', args: ['/lib/node_modules/pml/dist/cli.js', 'serve'] },
        tool: { command: 'npx', args: ['pml-viewer'] },
        own: { command: '/n/bin/node', args: ['/src/mine/dist/cli.js', 'serve'] },
      },
    }),
  ]);

  expect(skipped.map(({ name }) => name)).toEqual(['pml', 'other', 'bin', 'installed']);
  expect(Object.keys(entries)).toEqual(['tool', 'own']);
});
