// What a fresh clone needs before anything can run: dependencies and a build. Does nothing when both
// are there and up to date. Plain Node, because nothing is installed yet when it runs.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** Written last by the build, so that an interrupted one is not taken for done. */
export const stamp = join(root, 'node_modules', '.cache', 'pml', 'built');

const LEAST_NODE = [20, 19];

export function say(text) {
  process.stdout.write(`${text}\n`);
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  say(`PML needs Node ${LEAST_NODE.join('.')} or newer, this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs what the lock file says, unless it is installed already. */
export function install() {
  if (isInstalled()) return;
  say('Installing dependencies …');
  const exact = npm('ci', 'pipe');
  if (exact.status === 0) return;
  // `npm ci` refuses a lock file that lacks optional packages of other platforms, which a registry
  // need not have; installing by the same lock file does not mind.
  if (npm('install', 'inherit', '--no-save').status === 0) return;
  say(`${exact.stdout ?? ''}${exact.stderr ?? ''}npm could not install the dependencies.`);
  process.exit(1);
}

function npm(command, output, ...options) {
  return spawnSync('npm', [command, '--no-audit', '--no-fund', ...options], {
    cwd: root,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

export function build() {
  if (isBuilt()) return;
  say('Building …');
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
}

function isInstalled() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (!installed) return false;
  return Object.entries(readPackages('package-lock.json') ?? {}).every(
    ([path, { version, optional }]) =>
      path === '' || optional || installed[path]?.version === version,
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined; // Not installed, or cut short while it was.
  }
}

function isBuilt() {
  const products = [
    'cli.js',
    'pml.cjs',
    'web/index.html',
    'store/pgdata.tar.br',
    'embedding/gte-small/model.onnx',
  ];
  const outputs = [stamp, ...products.map((file) => join(root, 'dist', file))];
  if (!outputs.every((path) => existsSync(path))) return false;
  const sources = [
    ...['src', 'web'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(root, folder, file)),
    ),
    ...['package.json', 'tsconfig.json', 'tsconfig.build.json'].map((file) => join(root, file)),
  ];
  const builtAt = statSync(stamp).mtimeMs;
  return sources.every((path) => statSync(path).mtimeMs <= builtAt);
}
