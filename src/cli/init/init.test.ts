import { symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createSetupHome } from '../../../test/helpers/setup-home.js';
import { initCommand } from './init.js';

const CURSOR = 'home/.cursor/mcp.json';
const CONFIG = 'home/.pml/pml.json';
/** Next to the program of the fake machine. */
const SCHEMA = 'file:///opt/pml/pml.schema.json';
const LAUNCH = { command: '/opt/node/bin/node', args: ['/opt/pml/dist/cli.js', 'serve'] };

const servers = (value: object) => JSON.stringify({ mcpServers: value });

describe('without --client', () => {
  test('init without --client imports the servers of all clients and changes no client', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ fs: { command: 'npx', args: ['-y', 'fs', 'a b'] } }));
    await home.write(
      'home/.claude.json',
      servers({ gh: { type: 'http', url: 'https://gh.example/' } }),
    );

    const code = await home.init();

    expect(code).toBe(0);
    expect(JSON.parse(await home.read(CONFIG))).toEqual({
      $schema: SCHEMA,
      mcpServers: {
        gh: { type: 'http', url: 'https://gh.example/' },
        fs: { command: 'npx', args: ['-y', 'fs', 'a b'] },
      },
    });
    expect(await home.read(CURSOR)).toContain('"fs"');
    expect(home.printed()).toContain("npx -y fs 'a b'");
  });

  test('init creates an empty configuration if no client has a server', async () => {
    const home = await createSetupHome();

    expect(await home.init()).toBe(0);

    expect(JSON.parse(await home.read(CONFIG))).toEqual({ $schema: SCHEMA, mcpServers: {} });
  });

  test('init adds to an existing configuration, keeps its comments and changes nothing the second time', async () => {
    const home = await createSetupHome();
    await home.write(
      CONFIG,
      '{\n  // my servers\n  "mcpServers": {\n    "a": { "command": "x" }, // a\n  },\n}\n',
    );
    await home.write(CURSOR, servers({ a: { command: 'x' }, b: { command: 'y' } }));

    await home.init();
    const first = await home.snapshot();
    home.printed();
    await home.init();

    expect(await home.read(CONFIG)).toMatch(/\/\/ my servers[^]*\/\/ a[^]*/);
    expect(await home.read(CONFIG)).toContain('"b"');
    expect(await home.snapshot()).toEqual(first);
    expect(home.printed()).toContain('Nothing to do.');
  });

  test('init reports a broken client file and imports the others', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, '{"mcpServers": ');
    await home.write('home/.claude.json', servers({ gh: { command: 'x' } }));

    expect(await home.init()).toBe(0);

    expect(home.printed()).toMatch(/mcp\.json:1:\d+: not valid JSON/);
    expect(await home.read(CONFIG)).toContain('gh');
  });

  test('init lists entries it cannot use, with the reason of the configuration check', async () => {
    const home = await createSetupHome();
    await home.write(
      CURSOR,
      servers({ bad: { url: 'nonsense' }, ws: { type: 'ws', url: 'http://x' } }),
    );

    await home.init();

    const printed = home.printed();
    expect(printed).toContain('bad cannot be used: url: expected an http:// or https:// URL');
    expect(printed).toContain('ws cannot be used: type: expected "http"');
  });
});

describe('with --client', () => {
  test('init --client makes PML the only server and keeps everything else in the file', async () => {
    const home = await createSetupHome();
    const before =
      '{\n  // keep me\n  "mcpServers": { "fs": { "command": "x" } },\n  "theme": "dark", // and me\n}\n';
    await home.write(CURSOR, before);

    expect(await home.init({ clients: ['cursor'] })).toBe(0);

    const after = await home.read(CURSOR);
    expect(after).toContain('// keep me');
    expect(after).toContain('"theme": "dark", // and me');
    expect(after).not.toContain('"fs"');
    expect(JSON.parse(after.replaceAll(/\/\/.*/g, '').replace(/,\s*}\s*$/, '}'))).toEqual({
      mcpServers: { pml: LAUNCH },
      theme: 'dark',
    });
  });

  test('init --client leaves the file unchanged byte for byte the second time', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));
    await home.init({ clients: ['cursor', 'windsurf'] });
    const first = await home.snapshot();
    home.printed();

    expect(await home.init({ clients: ['cursor', 'windsurf'] })).toBe(0);

    expect(await home.snapshot()).toEqual(first);
    expect(home.printed()).toContain('Nothing to do.');
  });

  test('init --client empties both server maps of Claude Code and keeps its other state', async () => {
    const home = await createSetupHome();
    const local = { [home.cwd]: { mcpServers: { b: { command: 'b' } }, history: [1] } };
    const value = { mcpServers: { a: { command: 'a' } }, projects: local, userID: 'u' };
    await home.write('home/.claude.json', JSON.stringify(value));

    await home.init({ clients: ['claude-code'] });

    expect(JSON.parse(await home.read('home/.claude.json'))).toEqual({
      mcpServers: { pml: LAUNCH },
      projects: { [home.cwd]: { mcpServers: {}, history: [1] } },
      userID: 'u',
    });
    expect(Object.keys(JSON.parse(await home.read(CONFIG)).mcpServers as object)).toEqual([
      'a',
      'b',
    ]);
  });

  test('init --client writes the format of VS Code and keeps its inputs', async () => {
    const home = await createSetupHome();
    const path = 'home/.config/Code/User/mcp.json';
    await home.write(
      path,
      JSON.stringify({ inputs: [{ id: 'k' }], servers: { a: { command: 'a' } } }),
    );

    await home.init({ clients: ['vscode'] });

    expect(JSON.parse(await home.read(path))).toEqual({
      inputs: [{ id: 'k' }],
      servers: { pml: { type: 'stdio', ...LAUNCH } },
    });
  });

  test('init in the home directory treats the Cursor file as a user file only', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));
    Object.assign(home.io, { machine: { ...home.io.machine, cwd: home.home } });

    const code = await home.init({ json: true });

    expect(code).toBe(0);
    const { servers: found, untrusted } = JSON.parse(home.printed());
    expect(found).toMatchObject([{ name: 'fs', sources: [{ client: 'cursor', scope: 'user' }] }]);
    expect(untrusted).toEqual([]);
  });

  test('init in a link to the home directory treats the Cursor file as a user file only', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));
    const link = join(home.cwd, 'link');
    await symlink(home.home, link);
    Object.assign(home.io, { machine: { ...home.io.machine, cwd: link } });

    await home.init({ json: true });

    const { servers: found } = JSON.parse(home.printed());
    expect(found[0].sources).toHaveLength(1);
  });

  test('init in a project directory reads its Cursor file in addition to the user file', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));
    await home.write('project/.cursor/mcp.json', servers({ fs: { command: 'x' } }));

    await home.init({ json: true });

    const { servers: found } = JSON.parse(home.printed());
    expect(found[0].sources.map(({ scope }: { scope: string }) => scope)).toEqual([
      'user',
      'project',
    ]);
  });

  test('init --client names a configuration that PML would not find by itself', async () => {
    const home = await createSetupHome();

    await home.init({ clients: ['windsurf'], project: true });

    const { mcpServers } = JSON.parse(await home.read('home/.codeium/windsurf/mcp_config.json'));
    expect(mcpServers.pml).toEqual({
      command: LAUNCH.command,
      args: [...LAUNCH.args, '--config', `${home.cwd}/pml.json`],
    });
    expect(await home.read('home/.pml/trusted.json')).toContain(`${home.cwd}/pml.json`);
  });

  test('init --client keeps a byte order mark and accepts an empty file', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, '\uFEFF{"mcpServers": {}}');
    await home.write('home/.codeium/windsurf/mcp_config.json', '');

    await home.init({ clients: ['cursor', 'windsurf'] });

    expect(await home.read(CURSOR)).toMatch(/^\uFEFF\{/);
    expect(await home.read('home/.codeium/windsurf/mcp_config.json')).toContain('"pml"');
  });

  test.each<[string, string]>([
    ['cut off', '{"mcpServers": {"a": {"command": "x"'],
    ['an array', '[]'],
    ['a number', '5'],
    ['too large', `{"a": "${'x'.repeat(6_000_000)}"}`],
    ['nested 10,000 deep', '['.repeat(10_000)],
    ['with servers of a wrong type', '{"mcpServers": []}'],
    ['with a key twice', '{"mcpServers": {}, "mcpServers": {}}'],
  ])('init refuses a client file that is %s and writes nothing', async (_name, text) => {
    const home = await createSetupHome();
    await home.write(CURSOR, text);
    const before = await home.snapshot();

    expect(await home.init({ clients: ['cursor'] })).toBe(1);

    const lines = home.printed().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^pml init: .*mcp\.json/);
    expect(await home.snapshot()).toEqual(before);
  });

  test('init refuses a broken configuration and writes nothing', async () => {
    const home = await createSetupHome();
    await home.write(CONFIG, '{"mcpServers": {"a": {}}}');
    await home.write(CURSOR, servers({ b: { command: 'x' } }));
    const before = await home.snapshot();

    expect(await home.init({ clients: ['cursor'] })).toBe(1);

    expect(home.printed()).toContain('pml.json:1:22: mcpServers.a: has neither');
    expect(await home.snapshot()).toEqual(before);
  });
});

describe('files that came with the directory', () => {
  const evil = servers({
    evil: { command: 'sh', args: ['-c', 'x\u001B[2K'], env: { NODE_OPTIONS: '-r x' } },
  });

  test('project files are left out and unchanged without a terminal', async () => {
    const home = await createSetupHome();
    await home.write('project/.mcp.json', evil);

    expect(await home.init({ clients: ['claude-code'], yes: true })).toBe(0);

    expect(await home.read(CONFIG)).not.toContain('evil');
    expect(await home.read('project/.mcp.json')).toBe(evil);
    const printed = home.printed();
    expect(printed).toContain(String.raw`sh -c 'x\u{1b}[2K'`);
    expect(printed).toContain("NODE_OPTIONS='-r x'");
    expect(printed).toContain('--trust-project');
  });

  test('init asks about project files on a terminal', async () => {
    const home = await createSetupHome({ isInteractive: true, answers: [true, true] });
    await home.write('project/.cursor/mcp.json', evil);

    await home.init();

    expect(home.questions[1]).toContain('Trust it to start evil?');
    expect(await home.read(CONFIG)).toContain('evil');
  });

  test('project files that the user declines do not stop the rest of the import', async () => {
    const home = await createSetupHome({ isInteractive: true, answers: [false, true] });
    await home.write('project/.vscode/mcp.json', evil.replace('mcpServers', 'servers'));
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));

    await home.init();

    expect(Object.keys(JSON.parse(await home.read(CONFIG)).mcpServers as object)).toEqual(['fs']);
  });

  test('project files are imported and emptied with --trust-project, and restored by eject', async () => {
    const home = await createSetupHome();
    await home.write('project/.mcp.json', evil);

    await home.init({ clients: ['claude-code'], trustProject: true });

    expect(await home.read(CONFIG)).toContain('evil');
    expect(JSON.parse(await home.read('project/.mcp.json'))).toEqual({ mcpServers: {} });
    expect(await home.eject()).toBe(0);
    expect(await home.read('project/.mcp.json')).toBe(evil);
  });
});

describe('caution', () => {
  test('init --dry-run writes nothing and asks nothing', async () => {
    const home = await createSetupHome({ isInteractive: true });
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));
    const before = await home.snapshot();

    expect(await home.init({ clients: ['cursor'], dryRun: true })).toBe(0);

    expect(await home.snapshot()).toEqual(before);
    expect(home.questions).toEqual([]);
    expect(home.printed()).toContain('nothing was written');
  });

  test('init writes nothing when the user answers no', async () => {
    const home = await createSetupHome({ isInteractive: true, answers: [false] });
    await home.write(CURSOR, servers({ fs: { command: 'x' } }));
    const before = await home.snapshot();

    expect(await home.init({ clients: ['cursor'] })).toBe(0);

    expect(await home.snapshot()).toEqual(before);
  });

  test('init never prints values of env and headers, not even as JSON', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ a: { command: 'x', env: { T: 'hunter2' } } }));

    await home.init({ dryRun: true });
    await home.init({ json: true });

    const printed = home.printed();
    expect(printed).not.toContain('hunter2');
    expect(printed).toContain('env T=…');
  });

  test('init --json prints exactly one object', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ a: { command: 'x' } }));

    await home.init({ json: true, clients: ['cursor'] });

    expect(JSON.parse(home.printed())).toMatchObject({
      status: 'done',
      servers: [{ name: 'a', command: 'x' }],
      rewritten: [{ client: 'cursor' }],
    });
  });

  test('init reports an unknown client as wrong usage', async () => {
    const command = initCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });

    await expect(command.parseAsync(['--client', 'emacs'], { from: 'user' })).rejects.toThrow(
      'Known clients are claude-code',
    );
  });
});

// covers: INIT-GUIDES
describe('pml init on a terminal', () => {
  const entry = (env: object = {}) => ({ command: 'gh-mcp', env });

  test('init lets the user choose among clients that have a file and changes only the chosen ones', async () => {
    const home = await createSetupHome({
      isInteractive: true,
      answers: [true],
      chosen: ['cursor'],
    });
    await home.write(CURSOR, servers({ gh: entry() }));
    await home.write('home/.claude.json', servers({ other: { command: 'y' } }));

    await home.init();

    expect(home.questions).toEqual(['choose claude-code, cursor', 'Go ahead?']);
    expect(JSON.parse(await home.read(CURSOR))).toEqual({ mcpServers: { pml: LAUNCH } });
    expect(await home.read('home/.claude.json')).toContain('"other"');
  });

  test('init writes nothing when the user cancels the choice', async () => {
    const home = await createSetupHome({ isInteractive: true, chosen: undefined });
    await home.write(CURSOR, servers({ gh: entry() }));
    const before = await home.snapshot();

    await home.init();

    expect(await home.snapshot()).toEqual(before);
    expect(home.printed()).toContain('Nothing was written.');
  });

  test('init ends with the variables to set, the clients to restart and how to check the result', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, servers({ gh: entry({ T: '${GITHUB_TOKEN}', U: '${HOME}' }) }));

    await home.init({ clients: ['cursor'] });

    const told = home.printed();
    expect(told).toMatch(
      /1\. Set GITHUB_TOKEN \(for gh\).*\n.*2\. Restart Cursor\.\n.*3\. .*pml doctor/,
    );
    expect(told).not.toContain('Set HOME');
  });

  test('init merges identical servers with different names into one', async () => {
    const home = await createSetupHome();
    await home.write('home/.claude.json', servers({ github: entry() }));
    await home.write(CURSOR, servers({ gh: entry() }));

    await home.init();

    expect(JSON.parse(await home.read(CONFIG))).toMatchObject({ mcpServers: { github: entry() } });
    expect(await home.read(CONFIG)).not.toContain('"gh"');
    expect(home.printed()).toContain('the same server as "gh" of cursor');
  });
});
