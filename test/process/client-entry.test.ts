/** The entry `pml init` writes into the file of a client, and how `pml doctor` tries it. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import type { Finding } from '../../src/cli/doctor/finding.js';
import { PmlClient } from '../helpers/pml-client.js';
import { plain, Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

const cursorFile = (workspace: Workspace) => join(workspace.path, '.cursor', 'mcp.json');

function writeCursor(workspace: Workspace, pml: Entry): void {
  mkdirSync(dirname(cursorFile(workspace)), { recursive: true });
  writeFileSync(cursorFile(workspace), JSON.stringify({ mcpServers: { pml } }));
}

async function judgeCursor(workspace: Workspace): Promise<Finding | undefined> {
  const { stdout } = await workspace.run('doctor', '--json');
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return findings.find(({ what }) => what === 'client cursor');
}

test('[INIT-ABSOLUTE] init writes the Node and the file that run now, which start without a PATH', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });

  const { code } = await workspace.run('init', '--client', 'cursor', '--yes');

  expect(code).toBe(0);
  const written = JSON.parse(readFileSync(cursorFile(workspace), 'utf8')) as {
    mcpServers: { pml: Entry };
  };
  const { command, args } = written.mcpServers.pml;
  expect(command).toBe(realpathSync(process.execPath));
  expect(args).toEqual([realpathSync(CLI), 'serve', '--config', workspace.configPath]);
  const env = { HOME: workspace.path, TMPDIR: join(workspace.path, 'tmp'), PATH: '' };
  await using client = new PmlClient({ command: [command, ...args], env });
  expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: 'pml' } });
});

test('[DOCTOR-CLIENT] doctor starts what the client would start and leaves nothing running', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await workspace.run('init', '--client', 'cursor', '--yes');

  const finding = await judgeCursor(workspace);

  expect(finding).toMatchObject({ level: 'ok' });
  expect(finding?.message).toMatch(/starts PML, which answered in \d+ ms/);
  expect(workspace.processes()).toEqual([]);
});

test('[DOCTOR-CLIENT] doctor says what is wrong with an entry that does not start PML', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  const judge = (entry: Entry) => {
    writeCursor(workspace, entry);
    return judgeCursor(workspace);
  };

  const gone = await judge({ command: process.execPath, args: ['/gone/dist/cli.js', 'serve'] });
  const lost = await judge({
    command: process.execPath,
    args: [CLI, 'serve', '--config', '/gone/pml.json'],
  });

  expect(gone).toMatchObject({
    level: 'fail',
    message: expect.stringContaining('/gone/dist/cli.js, which does not exist') as string,
    fix: expect.stringContaining('pml init --client cursor') as string,
  });
  expect(lost).toMatchObject({
    level: 'fail',
    message: expect.stringContaining('/gone/pml.json does not exist') as string,
  });
});

test('doctor never starts what the file of a project names', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  const proof = join(workspace.path, 'ran');
  const script = join(workspace.path, 'pml', 'dist', 'cli.js');
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`);
  const project = join(workspace.path, 'project');
  mkdirSync(join(project, '.cursor'), { recursive: true });
  const pml = { command: process.execPath, args: [script, 'serve'] };
  writeFileSync(join(project, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { pml } }));

  await workspace.runIn(project, 'doctor', '--json');

  expect(() => readFileSync(proof)).toThrow('ENOENT');
});
