/** The first minutes with PML, from a clone and from the package, with nothing but what those bring. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

import { resultText } from '../helpers/sdk-client.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** Takes long to make, and is the same in every build. */
const HEAVY = ['dist/embedding/gte-small', 'dist/store/pgdata.tar.br'];

/** Installs without a registry: every package as a link, so that caches are of the clone alone. */
function linkPackages(from: string, to: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
  }
}

const installed = () =>
  readdirSync(join(ROOT, 'node_modules')).flatMap((name) => {
    if (name === '.cache') return [];
    if (!name.startsWith('@')) return [name];
    return readdirSync(join(ROOT, 'node_modules', name)).map((own) => join(name, own));
  });

function printedUrl(
  child: ChildProcess,
): Promise<{ url: string; headers: Record<string, string> }> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const entry = /mcp\.json\s+(\{.*"url".*\})$/m.exec(text)?.[1];
      if (entry === undefined) return;
      const { mcpServers } = JSON.parse(entry) as {
        mcpServers: { pml: { url: string; headers?: Record<string, string> } };
      };
      resolve({ headers: {}, ...mcpServers.pml });
    });
    child.once('exit', () => reject(new Error(`npm start ended: ${text}`)));
  });
}

// covers: NEWCOMER-CLONE
test.runIf(existsSync(join(ROOT, '.git')))(
  'npm start in a fresh clone serves a client that finds and calls its first tool',
  { timeout: 300_000 },
  async () => {
    await using folder = await temporaryFolder();
    const clone = join(folder.path, 'clone');
    const env = { ...process.env, HOME: folder.path, TMPDIR: folder.path };
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, clone]);
    linkPackages(join(ROOT, 'node_modules'), join(clone, 'node_modules'), installed());
    for (const path of HEAVY) cpSync(join(ROOT, path), join(clone, path), { recursive: true });

    // A group of its own, which gets Ctrl-C as a whole, as from a terminal.
    const options = { cwd: clone, env, detached: true } as const;
    const start = spawn('npm', ['start'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    const gone = once(start.stdout, 'close');
    try {
      const { url, headers } = await printedUrl(start);
      const client = new Client({ name: 'newcomer', version: '1' });
      const sent = { requestInit: { headers } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), sent));
      const call = async (name: string, args: Record<string, unknown>) =>
        resultText(await client.callTool({ name, arguments: args }));

      const found = () => call('pml_discover', { intent: 'list the files in a directory' });
      await expect.poll(found, { timeout: 60_000 }).toContain('filesystem:list_directory');
      const tasks = [{ tool: 'filesystem:list_allowed_directories', args: {} }];
      expect(await call('pml_read', { tasks })).toContain(join(clone, 'samples', 'files'));
      await client.close();
    } finally {
      if (start.pid !== undefined) process.kill(-start.pid, 'SIGINT');
      await gone;
    }
  },
);

const SERVER = join(ROOT, 'test/fixtures/plain-server.mjs');
const ENTRY = { mcpServers: { files: { command: 'node', args: [SERVER] } } };
const CLIENT_FILES: Readonly<Record<string, string>> = {
  '.claude.json': `${JSON.stringify({ theme: 'dark', ...ENTRY }, null, 2)}\n`,
  '.cursor/mcp.json': `{\n  // mine\n  "mcpServers": { "files": { "command": "node", "args": ["${SERVER}"] } },\n}\n`,
  '.codeium/windsurf/mcp_config.json': JSON.stringify(ENTRY),
  '.config/Claude/claude_desktop_config.json': `${JSON.stringify(ENTRY, null, '\t')}\r\n`,
  '.config/Code/User/mcp.json': `${JSON.stringify({ servers: ENTRY.mcpServers })}\n`,
};

/** The packages that the package names, and those that they name. */
function dependencies(folder: string, found: Set<string> = new Set()): readonly string[] {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
  const names = Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] });
  for (const name of names) {
    const path = join(ROOT, 'node_modules', name);
    if (found.has(name) || !existsSync(path)) continue; // Of another platform.
    found.add(name);
    dependencies(path, found);
  }
  return [...found];
}

// covers: NEWCOMER-PACKAGE
test(
  'the packed file sets five clients up, passes doctor and gives every file back byte for byte',
  { timeout: 300_000 },
  async () => {
    await using folder = await temporaryFolder();
    const modules = join(folder.path, 'node_modules');
    const home = join(folder.path, 'home');
    const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: folder.path };
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
    await run('npm', pack, { cwd: ROOT });
    const [tarball = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.tgz'));
    const own = join(modules, '@procedural-memory/pml');
    mkdirSync(own, { recursive: true });
    const unpack = ['-xzf', join(folder.path, tarball), '-C', own, '--strip-components=1'];
    execFileSync('tar', unpack);
    linkPackages(join(ROOT, 'node_modules'), modules, dependencies(own));
    for (const [path, text] of Object.entries(CLIENT_FILES)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const pml = (...args: string[]) =>
      run(process.execPath, [join(own, 'dist/cli.js'), ...args], { env, cwd: home });
    const files = () =>
      Object.fromEntries(
        Object.keys(CLIENT_FILES).map((path) => [path, readFileSync(join(home, path), 'utf8')]),
      );

    const clients = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'windsurf'];
    await pml('init', '--yes', ...clients.flatMap((name) => ['--client', name]));
    for (const text of Object.values(files())) expect(text).toContain('cli.js');
    const doctor = await pml('doctor', '--json');
    await pml('eject');
    await pml('stop');

    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true });
    expect(doctor.stdout).toContain('onnxruntime-web');
    expect(files()).toEqual(CLIENT_FILES);
  },
);
