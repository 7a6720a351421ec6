import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { ClonedProject } from '../helpers/cloned-project.js';
import { plain, Workspace } from '../helpers/workspace.js';

const COUNTER = fileURLToPath(new URL('../fixtures/counter-server.mjs', import.meta.url));
const BASHRC = 'export SAFE=1\n';

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value));
}

/** A repository whose data directory links PML's log to the shell profile of its user. */
function plantLog(repository: string): void {
  mkdirSync(join(repository, '.pml', 'logs'), { recursive: true });
  symlinkSync('../../../../.bashrc', join(repository, '.pml', 'logs', 'daemon.log'));
  writeJson(join(repository, 'pml.json'), { 'x$(touch PWNED)': 1 });
}

function counter(ledger: string): object {
  return { command: process.execPath, args: [COUNTER], env: { LEDGER: ledger } };
}

// covers: SAFE-UNTRUSTED-FOLDER
describe('a cloned folder without approval', () => {
  test('`pml serve` and all commands write and run nothing in a cloned folder without approval', async () => {
    await using clone = new ClonedProject(plantLog);
    writeFileSync(join(clone.home, '.bashrc'), BASHRC);
    const client = clone.serve();

    const { error } = await client.initialize();
    const commands = [
      ['status'],
      ['tools'],
      ['runs'],
      ['logs'],
      ['search', 'anything'],
      ['doctor'],
      ['trust'],
      ['restart'],
      ['stop'],
    ];
    const results = [];
    for (const command of commands) results.push(await clone.run(...command));

    expect(error?.message).toContain('CONFIG_UNTRUSTED');
    expect(results.slice(0, 5).map(({ stderr }) => stderr)).toEqual(
      Array.from({ length: 5 }, () => expect.stringContaining('pml trust') as string),
    );
    expect(readFileSync(join(clone.home, '.bashrc'), 'utf8')).toBe(BASHRC);
    expect(clone.changes()).toBe('');
    expect(clone.homeFiles()).toEqual(['.bashrc']);
  });

  test('cloned folder without approval cannot choose the data directory, whatever its `dataDir` says', async () => {
    await using clone = new ClonedProject((repository) => {
      writeJson(join(repository, 'pml.json'), { dataDir: '../../.config', mcpServers: {} });
    });
    clone.writeUserConfig({ embedding: 'none', mcpServers: { mine: plain() } });

    const status = await clone.run('status', '--json');
    await clone.run('restart');

    expect(JSON.parse(status.stdout)).toMatchObject({ running: false });
    expect(existsSync(join(clone.home, '.config'))).toBe(false);
    expect(clone.changes()).toBe('');
  });

  // covers: SERVE-OWN-CONFIG
  test('user keeps the servers of their own configuration in a cloned folder, and gets a notice', async () => {
    await using clone = new ClonedProject((repository) => {
      writeJson(join(repository, 'pml.json'), { mcpServers: { theirs: plain() } });
    });
    clone.writeUserConfig({ embedding: 'none', exposure: 'proxy', mcpServers: { mine: plain() } });
    const client = clone.serve();

    await client.initialize();
    const { result } = await client.request('tools/list');

    expect(JSON.stringify(result)).toContain('echo');
    expect(client.stderr).toContain(join(clone.folder, 'pml.json'));
    expect(client.stderr).toContain('pml trust');
    const { stdout } = await clone.run('status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ config: join(clone.home, '.pml', 'pml.json') });
    expect(clone.changes()).toBe('');
  });
});

/** Data of a foreign gateway that was killed before its run wrote `planted`. */
async function plantedData(ledger: string): Promise<string> {
  const config = { mcpServers: { counter: counter(ledger) } };
  await using workspace = await Workspace.create(config);
  const client = await workspace.connect();
  await client.call('pml_execute_workflow', {
    tasks: [
      { id: 'wait', tool: 'counter:slow', args: { ms: 2_000 } },
      { id: 'write', tool: 'counter:append', args: { key: 'planted' }, needs: ['wait'] },
    ],
    answer_within_ms: 0,
  });
  process.kill(workspace.daemonPid() ?? 0, 'SIGKILL');
  await client.kill();
  await expect.poll(() => workspace.processes('daemon')).toEqual([]);
  const copy = join(ledger, '..', 'planted');
  cpSync(workspace.dataDir, copy, {
    recursive: true,
    filter: (path) => !/daemon\.(sock|lock)|start-error|children|logs/.test(path),
  });
  return copy;
}

describe('a cloned folder that was approved', () => {
  // covers: SAFE-PLANTED-DATA
  test('approved clone does not bring its runs: PML names its `.pml` folder and does not use it', async () => {
    await using root = await Workspace.create({ mcpServers: {} });
    const ledger = join(root.path, 'ledger');
    const data = await plantedData(ledger);
    await using clone = new ClonedProject((repository) => {
      cpSync(data, join(repository, '.pml'), { recursive: true });
      const mcpServers = { counter: counter(ledger) };
      writeJson(join(repository, 'pml.json'), { embedding: 'none', mcpServers });
    });

    const shown = await clone.run('trust');
    const trusted = await clone.run('trust', '--yes');
    const client = clone.serve();
    await client.initialize();
    const runs = await clone.run('runs', '--json');
    const text = await client.text('pml_execute_workflow', {
      tasks: [{ tool: 'counter:read', args: {} }],
    });

    expect(shown.stdout).toContain(join(clone.folder, '.pml'));
    expect(trusted.code).toBe(0);
    expect(JSON.parse(runs.stdout)).toMatchObject({ runs: [] });
    expect(text).toBe('');
    expect(existsSync(ledger)).toBe(false);
    expect(clone.changes()).toBe('');
  });

  test('approved clone is refused when its `dataDir` holds data that PML did not make here', async () => {
    await using root = await Workspace.create({ mcpServers: {} });
    const ledger = join(root.path, 'ledger');
    const data = await plantedData(ledger);
    await using clone = new ClonedProject((repository) => {
      cpSync(data, join(repository, 'data'), { recursive: true });
      const mcpServers = { counter: counter(ledger) };
      writeJson(join(repository, 'pml.json'), { embedding: 'none', dataDir: 'data', mcpServers });
    });

    const trusted = await clone.run('trust', '--yes');
    const client = clone.serve();
    const { error } = await client.initialize();
    const runs = await clone.run('runs');

    expect(trusted.stdout).toContain(join(clone.folder, 'data'));
    expect(error?.message).toContain('DATA_DIR_REFUSED');
    expect(runs.stderr).toContain('DATA_DIR_REFUSED');
    expect(existsSync(ledger)).toBe(false);
    expect(clone.changes()).toBe('');
  });

  // covers: SAFE-TRUSTED-WORKS
  test('approved honest clone works, also with a `dataDir` that PML makes itself', async () => {
    await using clone = new ClonedProject((repository) => {
      writeFileSync(join(repository, '.gitignore'), 'data\n');
      const mcpServers = { theirs: plain() };
      writeJson(join(repository, 'pml.json'), { embedding: 'none', dataDir: 'data', mcpServers });
    });

    await clone.run('trust', '--yes');
    const client = clone.serve();
    await client.initialize();
    const text = await client.text('pml_execute_workflow', {
      tasks: [{ tool: 'theirs:echo', args: { text: 'hello' } }],
    });
    const again = await clone.run('restart');

    expect(text).toContain('hello');
    expect(again.code).toBe(0);
    expect(existsSync(join(clone.folder, 'data', 'journal'))).toBe(true);
  });
});
