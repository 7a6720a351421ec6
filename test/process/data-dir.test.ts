import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { plain, Workspace } from '../helpers/workspace.js';

const TEXT = 'export SAFE=1\n';

// covers: SAFE-DATA-DIR
describe('a data directory', () => {
  test.each([
    ['the log', 'logs/daemon.log'],
    ['a folder', 'logs'],
    ['a file of the journal', 'journal/x'],
  ])('PML refuses a data directory with %s as a symbolic link', async (_what, link) => {
    await using workspace = await Workspace.create({ mcpServers: { mine: plain() } });
    await workspace.connect();
    await workspace.stop();
    const elsewhere = join(workspace.path, 'elsewhere');
    writeFileSync(elsewhere, TEXT);
    rmSync(join(workspace.dataDir, link), { recursive: true, force: true });
    symlinkSync(elsewhere, join(workspace.dataDir, link));

    const client = workspace.spawn();
    const { error } = await client.initialize();

    expect(error?.message).toContain('DATA_DIR_REFUSED');
    expect(error?.message).toContain(join(workspace.dataDir, link));
    expect(readFileSync(elsewhere, 'utf8')).toBe(TEXT);
  });

  test('data directory keeps its log readable for its owner only, whatever the umask is', async () => {
    await using workspace = await Workspace.create({ mcpServers: { mine: plain() } });
    const before = process.umask(0);
    try {
      await workspace.connect();
    } finally {
      process.umask(before);
    }

    const { mode } = statSync(join(workspace.dataDir, 'logs', 'daemon.log'));

    expect((mode & 0o777).toString(8)).toBe('600');
  });

  // covers: DATA-DIR-ONE-CONFIG
  test('data directory of one configuration refuses commands for another, except `stop`', async () => {
    await using workspace = await Workspace.create({ mcpServers: { mine: plain() } });
    await workspace.connect();
    const other = join(workspace.path, 'other.json');
    writeFileSync(other, JSON.stringify({ dataDir: workspace.dataDir, mcpServers: {} }));

    const status = await workspace.run('status', '--config', other);
    const tools = await workspace.run('tools', '--config', other);
    const own = await workspace.run('status');
    const stop = await workspace.run('stop', '--config', other);

    for (const { code, stderr } of [status, tools]) {
      expect(code).toBe(1);
      expect(stderr).toContain(`uses ${workspace.configPath}, not ${other}`);
      expect(stderr).toContain('DATA_DIR_IN_USE');
    }
    expect(own.code).toBe(0);
    expect(stop.stdout).toContain('Stopped the daemon');
  });

  test('PML adopts the data directory of an earlier version when the user asks for it', async () => {
    await using workspace = await Workspace.create({ mcpServers: { mine: plain() } });
    const folder = join(workspace.path, 'project');
    const config = join(folder, 'pml.json');
    mkdirSync(folder);
    renameSync(workspace.configPath, config);
    cpSync(workspace.dataDir, join(folder, '.pml'), { recursive: true });
    writeFileSync(join(folder, '.pml', 'note'), TEXT);

    const shown = await workspace.run('trust', '--config', config);
    const adopted = await workspace.run('trust', '--adopt-data', '--yes', '--config', config);
    const status = await workspace.run('doctor', '--json', '--config', config);

    expect(shown.stdout).toContain('--adopt-data');
    expect(adopted.stderr).toBe('');
    const taken = /Took over the data: (.*)/.exec(adopted.stdout)?.[1] ?? '';
    expect(readFileSync(join(taken, 'note'), 'utf8')).toBe(TEXT);
    expect(existsSync(join(folder, '.pml'))).toBe(false);
    expect(JSON.parse(status.stdout)).toMatchObject({ ok: true });
  });
});
