/** Servers, tools and profiles that the user adds, changes and narrows, with the built program. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { CLIENTS } from '../../src/clients/index.js';
import { runCode } from '../helpers/code-client.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { plain, Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const fixture = (path: string) => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
const PLAIN = [process.execPath, fixture('plain-server.mjs')];
const COUNTER = fixture('counter-server.mjs');

const WITH_COMMENTS = `{
  "embedding": "none", // quick
  "mcpServers": {
    // none yet
    "off": { "command": "x", "enabled": false } // later
  }
}
`;

/** Of a task that must not run. */
async function refusal(client: PmlClient, tool: string, args: object = {}): Promise<string> {
  const answer = await client.call('pml_execute_workflow', { tasks: [{ tool, args }] });
  expect(answer.result?.['isError']).toBe(true);
  return textOf(answer);
}

test('[ADD-SERVER] pml add writes a server that agents can call at once, and pml remove takes it out', async () => {
  await using workspace = await Workspace.create(WITH_COMMENTS);
  const client = await workspace.connect();
  const config = ['--config', workspace.configPath];

  const added = await workspace.run('add', 'notes', ...config, '--yes', '--json', '--', ...PLAIN);

  expect(added.code).toBe(0);
  expect(JSON.parse(added.stdout)).toMatchObject({
    status: 'added',
    name: 'notes',
    trial: { works: true, tools: expect.arrayContaining(['echo', 'effect']) },
  });
  const tasks = [{ tool: 'notes:echo', args: { text: 'here' } }];
  expect(await client.text('pml_execute_workflow', { tasks })).toContain('here');
  const broken = await workspace.run('add', 'bad', ...config, '--yes', '--', '/nowhere/server');
  expect(broken).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('bad does not work yet'),
  });
  for (const name of ['bad', 'notes']) {
    expect(await workspace.run('remove', name, '--yes')).toMatchObject({ code: 0 });
  }
  expect(readFileSync(workspace.configPath, 'utf8')).toBe(WITH_COMMENTS);
  await expect.poll(async () => (await workspace.status()).servers).toEqual([]);
  expect(await refusal(client, 'notes:echo', { text: 'gone' })).toContain('SERVER_UNKNOWN');
});

const SECRET = 'canary-fixed-8e21';

function overridden(exposure: string, ledger: string) {
  const counter = { command: process.execPath, args: [COUNTER], env: { LEDGER: ledger } };
  return {
    exposure,
    mcpServers: { counter },
    tools: {
      override: {
        'counter:append': {
          description: 'Writes what the user chose',
          annotations: { idempotentHint: true },
          hide: ['afterMs', 'after'],
          fix: { key: '${FIXED}', beforeMs: 0 },
        },
        'counter:gone': {},
      },
    },
  };
}

test('[OVERRIDE-TOOL] an override shapes a tool in every mode, and its secret is in no file and no answer', async () => {
  await using workspace = await Workspace.create({}, { variables: { FIXED: SECRET } });
  const ledger = join(workspace.path, 'ledger');
  workspace.configure(overridden('hybrid', ledger));
  const client = await workspace.connect();
  const seen: string[] = [];
  const note = (text: string) => void seen.push(text);

  const found = await client.text('pml_discover', { name: 'counter:append', detail: 'schema' });
  note(found);
  expect(found).toContain('Writes what the user chose');
  expect(found).not.toMatch(/afterMs|beforeMs|"key"/);
  const run = { tasks: [{ tool: 'counter:append', args: {} }] };
  note(await client.text('pml_execute_workflow', run));
  note(JSON.stringify(await runCode(client, 'return await mcp.counter.append({})')));
  for (const args of [{ key: 'mine' }, { afterMs: 1 }]) {
    const refused = await refusal(client, 'counter:append', args);
    expect(refused).toContain('ARGUMENTS_INVALID');
    expect(refused).toContain('tools.override');
    note(refused);
  }
  workspace.configure(overridden('proxy', ledger));
  await expect.poll(async () => (await workspace.status()).exposure).toBe('proxy');
  const { tools } = (await client.request('tools/list')).result as { tools: { name: string }[] };
  const listed = tools.find(({ name }) => name === 'append');
  expect(listed).toMatchObject({ inputSchema: { properties: {}, required: [] } });
  note(JSON.stringify(tools));
  note(await client.text('append'));
  const direct = await client.call('append', { key: 'mine' });
  expect(direct.result?.['isError']).toBe(true);
  note(textOf(direct));
  const status = await workspace.run('status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    overrides: { problems: [{ tool: 'counter:gone', problem: 'its server lists no such tool' }] },
  });
  note(status.stdout);
  note((await workspace.run('tools', '--json')).stdout);
  note((await workspace.run('runs', '--json')).stdout);
  await workspace.stop();

  const written = readFileSync(ledger, 'utf8').trim().split('\n');
  expect(written).toEqual([SECRET, SECRET, SECRET]);
  expect(seen.filter((text) => text.includes(SECRET))).toEqual([]);
  const files = readdirSync(workspace.dataDir, { recursive: true, withFileTypes: true });
  const leaking = files
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => readFileSync(path, 'latin1').includes(SECRET));
  expect(leaking).toEqual([]);
});

const PROFILES = {
  mcpServers: { files: plain(), mail: plain() },
  profiles: {
    work: { servers: ['fi*'], permissions: { deny: ['files:slow'], ask: ['files:pid'] } },
    reads: { permissions: { readOnly: true }, exposure: 'proxy' },
  },
};

test('[PROFILE-NARROWS] a profile narrows every way to call a tool, beside clients that have all of it', async () => {
  await using workspace = await Workspace.create(PROFILES);
  const whole = await workspace.connect();
  const serve = [process.execPath, CLI, 'serve', '--config', workspace.configPath, '--profile'];
  const work = await workspace.connect({ command: [...serve, 'work'] });
  const reads = await workspace.connect({ command: [...serve, 'reads'] });

  expect(await whole.text('pml_discover', { pattern: '*:echo' })).toContain('mail:echo');
  const found = await work.text('pml_discover', { pattern: '*:*' });
  expect(found).toContain('files:echo');
  expect(found).not.toMatch(/mail:|files:slow/);
  const own = { tasks: [{ tool: 'files:echo', args: { text: 'mine' } }] };
  expect(await work.text('pml_execute_workflow', own)).toContain('mine');
  expect(await refusal(work, 'mail:echo', { text: 'x' })).toContain('TOOL_DENIED');
  expect(await refusal(work, 'files:slow', { ms: 1 })).toContain('TOOL_DENIED');
  const script = await work.call('pml_execute_code', {
    code: `const name = 'mail'; return await mcp[name].echo({ text: 'x' })`,
  });
  expect(textOf(script)).toContain('TOOL_DENIED');
  const asked = await work.call('pml_execute_workflow', {
    tasks: [{ tool: 'files:pid', args: {} }],
  });
  expect(textOf(asked)).toContain('needs_approval');
  const free = await whole.call('pml_execute_workflow', {
    tasks: [{ tool: 'files:pid', args: {} }],
  });
  expect(textOf(free)).not.toContain('needs_approval');
  const { _meta: meta } = free.result as { _meta: { 'pml/run': string } };
  const run = meta['pml/run'];
  const foreign = await work.call('pml_continue', { run, decision: 'wait' });
  expect(textOf(foreign)).toContain('RUN_UNKNOWN');
  const { tools } = (await reads.request('tools/list')).result as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual([
    'files__echo',
    'files__pid',
    'mail__echo',
    'mail__pid',
  ]);
  expect(textOf(await reads.call('files__effect', { key: 'x' }))).toContain('TOOL_DENIED');
  const { clients, profiles } = await workspace.status();
  expect(clients.map(({ profile }) => profile)).toEqual([undefined, 'work', 'reads']);
  expect(profiles?.[0]).toEqual({ name: 'work', servers: ['files'], isDefault: false });
});

test('an unknown profile is refused with the file and the profiles there are', async () => {
  await using workspace = await Workspace.create(PROFILES);

  const { code, stderr } = await workspace.run('serve', '--profile', 'wrok');

  expect(code).toBe(1);
  expect(stderr).toContain(`${workspace.configPath}: no profile "wrok"; there are reads, work`);
  expect(stderr).toContain('PROFILE_UNKNOWN');
});

test('a run of a profile keeps to it in the next daemon, whichever client continues it', async () => {
  await using workspace = await Workspace.create(PROFILES);
  const serve = [process.execPath, CLI, 'serve', '--config', workspace.configPath, '--profile'];
  const work = await workspace.connect({ command: [...serve, 'work'] });
  const code = `await mcp.files.pid({}); const name = 'mail'; return await mcp[name].echo({ text: 'x' })`;
  const asked = JSON.parse(textOf(await work.call('pml_execute_code', { code }))) as {
    run: string;
  };
  await workspace.stop();

  const whole = await workspace.connect();
  const decision = { run: asked.run, decision: 'approve' };
  const ended = await whole.call('pml_continue', decision);

  expect(textOf(ended)).toContain('profile work does not have its server');
});

const PLACES: Readonly<Record<(typeof CLIENTS)[number], readonly [string, string]>> = {
  'claude-code': ['.claude.json', 'jetbrains.json'],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', 'jetbrains.json'],
  codex: ['.codex/config.toml', 'codex.toml'],
  cursor: ['.cursor/mcp.json', 'jetbrains.json'],
  gemini: ['.gemini/settings.json', 'gemini.json'],
  goose: ['.config/goose/config.yaml', 'goose.yaml'],
  jetbrains: ['.junie/mcp/mcp.json', 'jetbrains.json'],
  opencode: ['.config/opencode/opencode.jsonc', 'opencode.jsonc'],
  vscode: ['.config/Code/User/mcp.json', 'jetbrains.json'],
  windsurf: ['.codeium/windsurf/mcp_config.json', 'jetbrains.json'],
  zed: ['.config/zed/settings.json', 'zed.json'],
};

// covers: INIT-UNDO
test('init and eject with the built program give the files of all clients back byte for byte', async () => {
  await using workspace = await Workspace.create({});
  const before = new Map(
    Object.entries(PLACES).map(([client, [path, name]]) => {
      const text = readFileSync(fixture(`clients/${name}`), 'utf8');
      const own = client === 'vscode' ? text.replace('mcpServers', 'servers') : text;
      return [join(workspace.path, path), own] as const;
    }),
  );
  for (const [path, text] of before) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const files = () => new Map([...before.keys()].map((path) => [path, readFileSync(path, 'utf8')]));

  const named = CLIENTS.flatMap((client) => ['--client', client]);
  const done = await workspace.runIn(workspace.path, 'init', '--yes', ...named);
  expect(done).toMatchObject({ code: 0 });
  const isDone = (text: string) => text.includes('cli.js') && !text.includes('docs-server');
  const left = [...files()].filter(([, text]) => !isDone(text)).map(([path]) => path);
  expect(left).toEqual([]);
  await promisify(execFile)(process.execPath, [CLI, 'eject'], {
    env: { PATH: process.env['PATH'], HOME: workspace.path },
  });

  expect(files()).toEqual(before);
});
