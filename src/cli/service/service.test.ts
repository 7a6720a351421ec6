import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { installService, type ServiceIo, type ServiceOptions, uninstallService } from './run.js';
import { type ServiceFile, serviceFile } from './unit-file.js';

const PROGRAM = {
  command: [
    '/opt/my node/bin/node',
    '/opt/pml/cli.js',
    'serve',
    '--config',
    '/home/me/100%$x.json',
  ],
  environment: { PATH: '/usr/bin:/bin' },
};
const place = (platform: NodeJS.Platform, home = '/home/me') => ({ platform, home, uid: 501 });

const QUIET: ServiceOptions = { yes: false, dryRun: false, json: false };

function recordingIo(changes: Partial<ServiceIo> = {}) {
  const lines: string[] = [];
  const executed: string[] = [];
  const io: ServiceIo = {
    isInteractive: true,
    out: (line) => lines.push(line),
    confirm: async () => true,
    execute: async (command) => void executed.push(command.join(' ')),
    ...changes,
  };
  return { io, lines, executed };
}

// covers: CLI-SERVICE
describe('serviceFile', () => {
  test('serviceFile writes a systemd user unit whose words are quoted as systemd reads them', () => {
    const { path, text } = serviceFile(place('linux'), PROGRAM);

    expect(path).toBe('/home/me/.config/systemd/user/pml.service');
    expect(text).toContain(
      'ExecStart="/opt/my node/bin/node" "/opt/pml/cli.js" "serve" "--config" "/home/me/100%%$$x.json"\n',
    );
    expect(text).toContain('Environment="PATH=/usr/bin:/bin"\n');
    expect(text).toContain('WantedBy=default.target');
  });

  const isMissing = spawnSync('systemd-analyze', ['--version']).status !== 0;
  test.skipIf(isMissing)(
    `systemd accepts the unit of serviceFile${isMissing ? ' (skipped: no systemd)' : ''}`,
    async () => {
      await using folder = await temporaryFolder();
      const command = [process.execPath, join(folder.path, '100%$x.json')];
      const unit = join(folder.path, 'pml.service');
      writeFileSync(unit, serviceFile(place('linux'), { ...PROGRAM, command }).text);

      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
        encoding: 'utf8',
      });

      // Other units of the machine may be wrong.
      const own = verified.stderr.split('\n').filter((line) => line.includes('pml.service'));
      expect(own).toEqual([]);
    },
  );

  test('serviceFile writes a launchd agent', () => {
    const { path, text, install } = serviceFile(place('darwin', '/Users/me'), {
      ...PROGRAM,
      command: ['node', 'a&b'],
    });

    expect(path).toBe('/Users/me/Library/LaunchAgents/local.pml.serve.plist');
    expect(text).toContain('<string>a&amp;b</string>');
    expect(install).toEqual([['launchctl', 'bootstrap', 'gui/501', path]]);
  });

  test('serviceFile says what to start on a system without systemd and launchd', () => {
    expect(() => serviceFile(place('win32'), PROGRAM)).toThrow('cli.js serve');
  });
});

describe('pml service', () => {
  const inFolder = async (): Promise<ServiceFile & AsyncDisposable> => {
    const folder = await temporaryFolder();
    const file = serviceFile(place('linux', folder.path), PROGRAM);
    return { ...file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  };

  test('service install shows the file before it asks, then writes and starts it; uninstall undoes that', async () => {
    await using file = await inFolder();
    const asked: string[][] = [];
    const { io, lines, executed } = recordingIo({
      confirm: async (question) => {
        asked.push([...lines, question]);
        return true;
      },
    });

    expect(await installService(file, QUIET, io)).toBe('installed');
    expect(asked[0]?.join('\n')).toContain('ExecStart=');
    expect(readFileSync(file.path, 'utf8')).toBe(file.text);
    expect(executed).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable --now pml.service',
    ]);

    expect(await uninstallService(file, QUIET, io)).toBe('uninstalled');
    expect(existsSync(file.path)).toBe(false);
    expect(await uninstallService(file, QUIET, io)).toBe('nothing-to-do');
  });

  test('service install writes nothing if the user declines, in a dry run, or without a terminal', async () => {
    await using file = await inFolder();
    const declining = recordingIo({ confirm: async () => false });
    const alone = recordingIo({ isInteractive: false });

    expect(await installService(file, QUIET, declining.io)).toBe('declined');
    expect(await installService(file, { ...QUIET, dryRun: true }, alone.io)).toBe('dry-run');
    await expect(installService(file, QUIET, alone.io)).rejects.toThrow('Add --yes');
    expect(existsSync(join(file.path))).toBe(false);
  });

  test('service install says which system program failed, why, and where the file is', async () => {
    await using file = await inFolder();
    const { io } = recordingIo({
      execute: async () => {
        throw new Error('Failed to connect to bus');
      },
    });

    await expect(installService(file, { ...QUIET, yes: true }, io)).rejects.toThrow(
      /systemctl --user daemon-reload failed: Failed to connect to bus.*pml\.service/,
    );
  });
});
