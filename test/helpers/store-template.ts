import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const BUILT = path('dist/store/pgdata.tar.br');
const CACHED = path('node_modules/.cache/pml/pgdata.tar.br');

/** The prepared data directory: the built one or, once per checkout, one made for the tests. */
export async function storeTemplate(): Promise<string> {
  if (existsSync(BUILT)) return BUILT;
  if (!existsSync(CACHED)) await run(process.execPath, [path('scripts/prepare-store.mjs'), CACHED]);
  return CACHED;
}
