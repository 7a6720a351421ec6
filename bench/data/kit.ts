import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url));
const KIT = join(SHARED, 'bench/kit.mjs');

/** Public data sets and what scores them lie beside the project, not in it. */
export function requireKit(): void {
  if (!existsSync(KIT)) {
    throw new Error(`skipped: the data sets and their kit are not there (${SHARED})`);
  }
}

/** A file of a data set. */
export function dataFile(set: string, name: string): string {
  return join(SHARED, 'data/dev', set, name);
}

export function kit(...args: readonly string[]): string {
  return execFileSync(process.execPath, [KIT, ...args], { encoding: 'utf8' });
}

export function writeLines(file: string, lines: readonly string[]): void {
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}
