// Builds dist: compiled sources, the bundle of what runs, their id, the page of the dashboard, the prepared
// data directory of the store, the embedding model, the published schema.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { buildId } from './build-id.mjs';
import { bundle } from './bundle.mjs';
import { compressFiles } from './compress-files.mjs';
import { root, stamp } from './setup.mjs';

const dist = join(root, 'dist');
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

rmSync(stamp, { force: true });
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
removeLeftovers();
rmSync(join(dist, 'compiled'), { recursive: true, force: true });
await bundle(root, dist);
buildWeb();
for (const file of ['cli.js', 'pml.cjs']) chmodSync(join(dist, file), 0o755);
writeFileSync(join(dist, 'build.json'), `${JSON.stringify({ id: buildId(root, dist) })}\n`);
if (isTemplateStale()) run('scripts/prepare-store.mjs');
run('scripts/build-model.mjs');
copyRuntime();
run('scripts/write-schema.mjs');
mkdirSync(dirname(stamp), { recursive: true });
writeFileSync(stamp, '');

/** The page of the dashboard: bundled, with hashes in the names, and compressed once for all requests. */
function buildWeb() {
  run(
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    'web/vite.config.ts',
    '--logLevel',
    'warn',
  );
  compressFiles(join(dist, 'web'));
}

/** The runtime of the model that works on every platform: its code, and the one binary it needs of four. */
function copyRuntime() {
  const source = join(root, 'node_modules/onnxruntime-web/dist');
  const target = join(dist, 'embedding/onnx');
  mkdirSync(target, { recursive: true });
  copyFileSync(join(source, 'ort.wasm.bundle.min.mjs'), join(target, 'ort.mjs'));
  copyFileSync(join(source, 'ort-wasm-simd-threaded.wasm'), join(target, 'ort.wasm'));
}

/** Output of sources that are gone; what is there is overwritten in place, never missing. */
function removeLeftovers() {
  for (const file of readdirSync(dist, { recursive: true })) {
    if (/^(web|chunks|quick|resident)\b/.test(file)) continue;
    const source = /^(.*)\.js(\.map)?$/.exec(file)?.[1];
    if (source === undefined || existsSync(join(root, 'src', `${source}.ts`))) continue;
    rmSync(join(dist, file));
  }
}

/** The archive holds a cluster of exactly the installed PGlite, which changes with an install only. */
function isTemplateStale() {
  const template = join(dist, 'store', 'pgdata.tar.br');
  if (!existsSync(template)) return true;
  const pglite = join(root, 'node_modules/@electric-sql/pglite/package.json');
  return [pglite, join(root, 'scripts/prepare-store.mjs')].some(
    (path) => statSync(path).ctimeMs > statSync(template).ctimeMs,
  );
}
