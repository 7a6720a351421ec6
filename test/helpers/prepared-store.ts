/**
 * A store as the first start of a daemon leaves it, made once for every build. Installing one and
 * making its tables takes seconds of a core, which no test has to pay that is not about it.
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
const store = await createEmbeddedStore({ dataDir, logger, template: built + 'pgdata.tar.gz' });
await store[Symbol.asyncDispose]();`;

/** Before the tests of a project begin. */
export async function setup(): Promise<void> {
  if (!existsSync(BUILT)) return; // A workspace says what to do about that.
  const target = preparedFolder();
  if (existsSync(target)) return;
  // Whoever else is making one uses another folder; the first to be done is kept.
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
  // Built anew while tests run: the daemon installs one itself.
  if (!existsSync(prepared)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  cpSync(prepared, join(dataDir, 'store'), { recursive: true });
}

let folder: string | undefined;

/** Another build of the store makes another one. */
function preparedFolder(): string {
  if (folder !== undefined) return folder;
  const hash = createHash('sha256');
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((one) => /\.(js|gz)$/.test(one)).toSorted()) {
    hash.update(file).update(readFileSync(join(BUILT, file)));
  }
  return (folder = join(CACHE, hash.digest('hex').slice(0, 16)));
}
