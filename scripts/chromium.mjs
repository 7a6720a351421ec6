// Chromium for the tests in a browser: Debian's own, installed where it is missing and may be installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { say } from './setup.mjs';

const PATH = '/usr/bin/chromium';
const INSTALL_MS = 300_000;

/** Where there is none, those tests say that they were skipped, and fail with `CI=true`. */
export function provideChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named ? existsSync(named) : existsSync(PATH)) return;
  if (named) return say(`CHROMIUM_PATH names ${named}, which is not there.`);
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !hasApt()) {
    return say('No Chromium: tests in a browser are skipped. Set CHROMIUM_PATH to use one.');
  }
  say('Installing Chromium for the tests in a browser …');
  if (!apt('install') && !(apt('update') && apt('install'))) {
    say('Chromium could not be installed: tests in a browser are skipped.');
  }
}

function hasApt() {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
}

function apt(command) {
  const args =
    command === 'update' ? ['update'] : ['install', '-y', '--no-install-recommends', 'chromium'];
  const { status } = spawnSync('apt-get', ['-q', ...args], {
    stdio: 'ignore',
    timeout: INSTALL_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
