// Builds dist: compiled sources, the prepared data directory of the store, the published schema.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
const template = `${root}dist/store/pgdata.tar.gz`;

for (const folder of ['app', 'cli', 'core', 'gateway', 'servers']) {
  rmSync(`${root}dist/${folder}`, { recursive: true, force: true });
}
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
chmodSync(`${root}dist/cli.js`, 0o755);
if (!existsSync(template)) run('scripts/prepare-store.mjs');
run('scripts/write-schema.mjs');
