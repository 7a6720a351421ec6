import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a sandbox process loads, and the folders all of it lies in. */
export interface GuestCode {
  readonly entry: string;
  readonly engineUrl: string;
  /** The engine, then its extensions. */
  readonly binaries: readonly string[];
  readonly folders: readonly string[];
}

const EXTENSIONS = ['url', 'encoding', 'structured-clone'] as const;

export async function findGuestCode(): Promise<GuestCode> {
  const require = createRequire(import.meta.url);
  const engine = realpathSync(require.resolve('quickjs-wasi/quickjs.wasm'));
  const package_ = dirname(engine);
  const entry = await findEntry();
  return {
    entry,
    engineUrl: pathToFileURL(join(package_, 'dist', 'index.js')).href,
    binaries: [
      engine,
      ...EXTENSIONS.map((name) => realpathSync(require.resolve(`quickjs-wasi/${name}.so`))),
    ],
    folders: [dirname(entry), package_],
  };
}

/** A process that may read nothing cannot strip types: run from sources, that is done for it here. */
async function findEntry(): Promise<string> {
  const isSource = import.meta.url.endsWith('.ts');
  if (!isSource) return realpathSync(fileURLToPath(new URL('./guest-process.js', import.meta.url)));
  const { transformSync } = await import('oxc-transform');
  const strip = (path: string) => transformSync(path, readFileSync(path, 'utf8')).code;
  const files = gather(fileURLToPath(new URL('./guest-process.ts', import.meta.url)), strip);
  return writeOnce(files);
}

/** Each source that the entry imports, by its path from there. */
function gather(entry: string, strip: (path: string) => string): ReadonlyMap<string, string> {
  const root = dirname(entry);
  const files = new Map<string, string>();
  const add = (path: string): void => {
    const name = path.slice(root.length + 1).replace(/\.ts$/, '.js');
    if (files.has(name)) return;
    const code = strip(path);
    files.set(name, code);
    for (const [, specifier = ''] of code.matchAll(/from ["'](\.[^"']+)\.js["']/g))
      add(join(dirname(path), `${specifier}.ts`));
  };
  add(entry);
  return files;
}

function writeOnce(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex')
    .slice(0, 16);
  const cache = fileURLToPath(new URL('../../node_modules/.cache/pml-sandbox', import.meta.url));
  const folder = join(cache, hash);
  const write = (name: string, text: string): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    // Others may be writing, or reading, the same file: it is there as a whole or not at all.
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  };
  write('package.json', '{"type":"module"}');
  for (const [name, text] of files) write(name, text);
  return realpathSync(join(folder, 'guest-process.js'));
}
