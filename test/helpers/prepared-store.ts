/**
 * A store as the first start of a daemon leaves it, made once per build. Installing a store and
 * creating its tables takes seconds of CPU time; only tests about that have to pay for it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const BUILT = fileURLToPath(new URL('../../dist/store/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/pml/stores/', import.meta.url));

const MAKE = `
const [built, dataDir] = process.argv.slice(1);
const { createEmbeddedStore } = await import(built + 'index.js');
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const store = await createEmbeddedStore({ dataDir, logger, template: built + 'pgdata.tar.br' });
await store[Symbol.asyncDispose]();`;

/** Before the tests of a project begin. */
export async function setup(): Promise<void> {
  if (!existsSync(BUILT)) return; // The workspace reports the remedy.
  const target = preparedFolder();
  if (existsSync(target)) return;
  // Other processes that make a store use other folders; the first to finish wins.
  const draft = `${target}.${process.pid}`;
  const args = ['--input-type=module', '-e', MAKE, BUILT, draft];
  try {
    mkdirSync(CACHE, { recursive: true });
    for (const old of readdirSync(CACHE)) {
      if (!old.includes('.')) rmSync(join(CACHE, old), { recursive: true });
    }
    await promisify(execFile)(process.execPath, args);
    if (!existsSync(target)) renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Makes a data directory with a store. */
export function installStore(dataDir: string): void {
  const prepared = join(preparedFolder(), 'store');
  // The build changed while tests run: the daemon installs a store itself.
  if (!existsSync(prepared)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  cpSync(prepared, join(dataDir, 'store'), { recursive: true });
}

let folder: string | undefined;

/** Each build of the store gets its own prepared store. */
function preparedFolder(): string {
  if (folder !== undefined) return folder;
  const hash = createHash('sha256');
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((one) => /\.(js|gz)$/.test(one)).toSorted()) {
    hash.update(file).update(readFileSync(join(BUILT, file)));
  }
  return (folder = join(CACHE, hash.digest('hex').slice(0, 16)));
}
