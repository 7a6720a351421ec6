import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { JsonObject } from '../core/index.js';
import { type Client, clientFiles, type Machine } from './client-files.js';
import { formatOf } from './formats/format-of.js';
import { planImport } from './plan-import.js';
import { rewriteClient } from './rewrite-client.js';

const machine: Machine = { platform: 'linux', home: '/home/me', cwd: '/p', env: {} };

function read(client: Client, fixture: string) {
  const text = readFileSync(
    new URL(`../../test/fixtures/clients/${fixture}`, import.meta.url),
    'utf8',
  );
  const [file] = clientFiles(client, machine);
  const parsed = formatOf(fixture).parse(text);
  if (!file || !parsed.ok) throw new Error(`${fixture} cannot be read`);
  const source = { bytes: Buffer.from(text), text, mark: '' };
  return { file, state: { status: 'read', source, value: parsed.value } } as const;
}

function imported(client: Client, fixture: string) {
  const options = { machine, existing: {}, check: () => undefined };
  const { servers, broken } = planImport([read(client, fixture)], options);
  return {
    entries: Object.fromEntries(servers.map(({ name, entry }) => [name, entry])),
    notes: servers.flatMap(({ notes }) => notes),
    broken,
  };
}

const CRM = { url: 'https://crm.example.com/mcp' };

const EXPECTED: readonly (readonly [Client, string, JsonObject, readonly string[]])[] = [
  [
    'codex',
    'codex.toml',
    {
      docs: {
        command: 'docs-server',
        args: ['--root', '$${HOME}/docs'],
        env: { LEVEL: '1', DOCS_KEY: '${DOCS_KEY}' },
        tools: { allow: ['search'], deny: ['drop'] },
        timeoutMs: 45_500,
      },
      crm: {
        ...CRM,
        enabled: false,
        headers: { 'X-Region': 'eu', Authorization: 'Bearer ${CRM_TOKEN}', 'X-Team': '${TEAM}' },
      },
    },
    ['"startup_timeout_sec" belongs to the client and is left out'],
  ],
  [
    'gemini',
    'gemini.json',
    {
      docs: {
        command: 'docs-server',
        args: ['--root', '${HOME}/docs'],
        env: { KEY: '${DOCS_KEY}' },
        tools: { allow: ['search'], deny: ['drop'] },
        timeoutMs: 45_500,
      },
      crm: { ...CRM, headers: { Authorization: 'Bearer ${CRM_TOKEN}' } },
    },
    ['"trust" belongs to the client and is left out'],
  ],
  [
    'zed',
    'zed.json',
    {
      docs: { command: 'docs-server', args: ['--root', '$${HOME}/docs'], env: {} },
      old: { command: 'old-server', args: ['-v'], env: { A: '1' } },
      crm: { ...CRM, headers: { 'X-Region': 'eu' }, enabled: false },
    },
    [],
  ],
  [
    'jetbrains',
    'jetbrains.json',
    {
      docs: {
        command: 'docs-server',
        args: ['--root', '/docs'],
        env: { KEY: '1' },
        enabled: false,
      },
    },
    [],
  ],
  [
    'goose',
    'goose.yaml',
    {
      docs: {
        command: 'docs-server',
        args: ['--root', '$${HOME}/docs'],
        env: { LEVEL: '1', DOCS_KEY: '${DOCS_KEY}' },
        timeoutMs: 45_000,
      },
      crm: {
        ...CRM,
        enabled: false,
        headers: { Authorization: 'Bearer ${CRM_TOKEN}' },
        tools: { allow: ['search'] },
      },
    },
    [],
  ],
  [
    'opencode',
    'opencode.jsonc',
    {
      docs: {
        command: 'docs-server',
        args: ['--root', '${HOME}/docs'],
        env: { KEY: '${DOCS_KEY}', RAW: '$${X}' },
        timeoutMs: 45_500,
      },
      crm: { ...CRM, headers: { Authorization: 'Bearer ${CRM_TOKEN}' }, enabled: false },
    },
    [],
  ],
];

// covers: INIT-IMPORT
test.each(EXPECTED)(
  'import from %s takes its servers, with references and limits in our words',
  (client, fixture, entries, notes) => {
    expect(imported(client, fixture)).toEqual({ entries, notes, broken: [] });
  },
);

test('a rewritten file of Goose keeps its own extensions and comments, and has PML as a server', () => {
  const launch = { command: '/node', args: ['/cli.js', 'serve'] };
  const text = rewriteClient(read('goose', 'goose.yaml'), launch) ?? '';

  expect(text).toContain('  # Goose brings this one along\n  developer:\n    bundled: true\n');
  expect(text).toContain(
    '  memory: {bundled: true, enabled: false, name: memory, type: builtin}\n',
  );
  expect(text).toContain('GOOSE_MODE: auto # ask me nothing\n');
  expect(text).not.toContain('docs-server');
  expect(formatOf('x.yaml').parse(text)).toMatchObject({
    value: { extensions: { pml: { type: 'stdio', cmd: '/node', args: ['/cli.js', 'serve'] } } },
  });
});

test('a rewritten file of Zed keeps what its extensions set', () => {
  const text = rewriteClient(read('zed', 'zed.json'), { command: '/node', args: [] }) ?? '';

  expect(text).toContain(
    '    // of an extension\n    "mcp-server-github": { "source": "extension"',
  );
  expect(text).toContain('"vim_mode": true, // of course');
  expect(text).not.toContain('docs-server');
});

test('a rewritten file of Codex keeps settings, trusted folders and their comments', () => {
  const text = rewriteClient(read('codex', 'codex.toml'), { command: '/node', args: [] }) ?? '';

  expect(text).toContain('# How I like it\nmodel = "gpt-5"\nnotify = ["say", "[done]"]');
  expect(text).toContain('# Folders I trust\n[projects."/home/me/work"]\n');
  expect(text).toContain('[mcp_servers.pml]\ncommand = "/node"');
  expect(text).not.toContain('crm.example.com');
});

test('a file that keeps its servers in a form PML cannot edit is refused and stays', () => {
  const [file] = clientFiles('codex', machine);
  const text = 'mcp_servers = { a = { command = "x" } }\n';
  const parsed = formatOf('x.toml').parse(text);
  if (!file || !parsed.ok) throw new Error('cannot be read');
  const source = { bytes: Buffer.from(text), text, mark: '' };
  const state = { status: 'read', source, value: parsed.value } as const;

  expect(() => rewriteClient({ file, state }, { command: 'x', args: [] })).toThrow(
    /could not be edited safely; it is left as it is/,
  );
});
