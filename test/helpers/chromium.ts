import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Whether tests in a browser can run. Where none can they are skipped and say so; with `CI=true` they
 * fail instead, so that no build is good without them.
 */
export function hasChromium(): boolean {
  if (existsSync(PATH)) return true;
  if (process.env['CI'] === 'true') {
    throw new Error(`No Chromium at ${PATH}: install it, or set CHROMIUM_PATH`);
  }
  process.stderr.write(`No Chromium at ${PATH}: tests in a browser are SKIPPED\n`);
  return false;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: FLAGS, chromiumSandbox: false });
}
