import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

const WEB = fileURLToPath(new URL('../dist/web', import.meta.url));
const MOST_BYTES = 260_000;
const MOST_FIRST_BYTES = 40_000;

const gzipped = (file: string) => gzipSync(readFileSync(join(WEB, file)), { level: 9 }).length;
const sum = (files: readonly string[]) => files.reduce((bytes, file) => bytes + gzipped(file), 0);

/** What a browser loads before the user opens a view: what the page names, and what that imports at once. */
function firstFiles(): readonly string[] {
  const page = readFileSync(join(WEB, 'index.html'), 'utf8');
  const found = new Set(['index.html']);
  const open = [...page.matchAll(/(?:src|href)="\/ui\/([^"]+)"/g)].map(([, file = '']) => file);
  while (open.length > 0) {
    const file = open.pop() ?? '';
    if (found.has(file)) continue;
    found.add(file);
    if (!file.endsWith('.js')) continue;
    const code = readFileSync(join(WEB, file), 'utf8');
    const imports = code.matchAll(
      /(?:^|[;}\s])(?:import|export)[^'"()]*?["']\.\/([^"']+\.js)["']/g,
    );
    open.push(...[...imports].map(([, name = '']) => `assets/${name}`));
  }
  return [...found];
}

// covers: UI-SMALL
test.skipIf(!existsSync(WEB))('the page is small, and its first view smaller', () => {
  const all = readdirSync(WEB, { recursive: true })
    .map(String)
    .filter((file) => /\.(js|css|html|svg)$/.test(file));

  expect(sum(all)).toBeLessThan(MOST_BYTES);
  expect(sum(firstFiles())).toBeLessThan(MOST_FIRST_BYTES);
});

test.skipIf(!existsSync(WEB))('the page loads nothing from elsewhere and evaluates no text', () => {
  const page = readFileSync(join(WEB, 'index.html'), 'utf8');

  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/);
  for (const file of readdirSync(join(WEB, 'assets')).filter((name) => name.endsWith('.js'))) {
    expect(readFileSync(join(WEB, 'assets', file), 'utf8')).not.toMatch(/\beval\(|new Function\(/);
  }
});
