/** What users download and have on disk: every megabyte has a reason. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MB = 1_000_000;
const INSTALLED_MB = 130;
/** Of this the model takes 28: its weights hardly compress. */
const TARBALL_MB = 37;

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

interface Manifest {
  readonly name: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

function pack(): Packed {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  const [packed] = JSON.parse(text) as Packed[];
  if (!packed) throw new Error('npm packed nothing');
  return packed;
}

/** The packages that come with ours, and with those. */
function dependenciesOf(folder: string, found = new Set<string>()): ReadonlySet<string> {
  for (const name of Object.keys(read(join(folder, 'package.json')).dependencies ?? {})) {
    const path = join(ROOT, 'node_modules', name);
    if (found.has(path)) continue;
    found.add(path);
    dependenciesOf(path, found);
  }
  return found;
}

function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

const packed = pack();
const paths = packed.files.map(({ path }) => path);

test('[PACKAGE-SIZE] the packed file and what is installed with it stay small', () => {
  const others = [...dependenciesOf(ROOT)].reduce((sum, folder) => sum + bytesOf(folder), 0);

  expect(packed.size / MB).toBeLessThan(TARBALL_MB);
  expect((packed.unpackedSize + others) / MB).toBeLessThan(INSTALLED_MB);
});

test('[PACKAGE-SIZE] the package has one WebAssembly file and nothing that is never loaded', () => {
  expect(paths.filter((path) => path.endsWith('.wasm'))).toEqual(['dist/embedding/onnx/ort.wasm']);
  expect(paths.filter((path) => /\.(map|ts|tsx)$|\.test\.|^(src|test|bench)\//.test(path))).toEqual(
    [],
  );
});

test('the package has what a start needs, and the licences of what is bundled', () => {
  const { bin, license, engines } = read(join(ROOT, 'package.json'));

  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'package.json',
      'pml.schema.json',
      'dist/build.json',
      'dist/daemon/launch.js',
      'dist/embedding/gte-small/model.onnx',
      'dist/embedding/model-process.js',
      'dist/embedding/onnx/ort.mjs',
      'dist/process/one-at-a-time.js',
      'dist/sandbox/guest-process.js',
      'dist/sandbox/guest/prelude.js',
      'dist/store/embedded/pglite-worker.js',
      'dist/store/pgdata.tar.br',
      'dist/third-party-licenses.txt',
      'dist/web/index.html',
      ...Object.values(bin).map((path) => path.replace('./', '')),
    ]),
  );
  expect(license).toBe('MIT');
  expect(engines.node).toBe('>=20.19');
});

test('no package that comes with PML runs a script when it is installed', () => {
  const scripts = [...dependenciesOf(ROOT)].filter((folder) => {
    const { scripts: own } = read(join(folder, 'package.json'));
    return ['preinstall', 'install', 'postinstall'].some((name) => own?.[name] !== undefined);
  });

  expect(scripts).toEqual([]);
});
