/**
 * How long a command takes to start, ask a running daemon and print the answer, against bare Node
 * (`node -e 0`) in the same run: CPU time of the whole process, and time on the wall. The rounds alternate
 * and the best of each counts, because other work on the machine only ever adds.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createReport, type Report, type Row } from './report.js';

const CLI = fileURLToPath(new URL('../dist/pml.cjs', import.meta.url));
const ROUNDS = 15;
const BARE = 'node -e 0';

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  [BARE]: ['-e', '0'],
  'pml version': [CLI, 'version'],
  'pml --help': [CLI, '--help'],
  'pml runs --help': [CLI, 'runs', '--help'],
  'pml status': [CLI, 'status'],
  'pml runs': [CLI, 'runs'],
  'pml show latest': [CLI, 'show', 'latest'],
  'pml list': [CLI, 'list'],
  'pml tools': [CLI, 'tools'],
  'pml search': [CLI, 'search', 'a file'],
  'pml call': [CLI, 'call', 'filesystem:list_allowed_directories'],
  'pml capabilities': [CLI, 'capabilities'],
};

interface Used {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export async function run(): Promise<Report> {
  const home = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  try {
    startDaemon(home);
    const all = Object.keys(COMMANDS).map((name): [string, Used[]] => [name, []]);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, used] of all) used.push(measure(COMMANDS[name]!, home));
    }
    const best = new Map(all.map(([name, used]) => [name, bestOf(used)]));
    return createReport('cli-start', [...rowsOf(best, 'cpuMs'), ...rowsOf(best, 'wallMs')]);
  } finally {
    execFileSync(process.execPath, [CLI, 'stop'], { cwd: home, env: environment(home) });
    rmSync(home, { recursive: true, force: true });
  }
}

/** A daemon with one server and one run, so that every command has something to show. */
function startDaemon(home: string): void {
  const server = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-filesystem/dist/index.js',
  );
  const filesystem = { command: process.execPath, args: [server, home] };
  mkdirSync(join(home, '.pml'));
  writeFileSync(join(home, '.pml', 'pml.json'), JSON.stringify({ mcpServers: { filesystem } }));
  const call = COMMANDS['pml call'] ?? [];
  execFileSync(process.execPath, [...call], { cwd: home, env: environment(home), stdio: 'ignore' });
}

function environment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C' };
}

function bestOf(used: readonly Used[]): Used {
  return {
    cpuMs: Math.min(...used.map(({ cpuMs }) => cpuMs)),
    wallMs: Math.min(...used.map(({ wallMs }) => wallMs)),
  };
}

function rowsOf(best: ReadonlyMap<string, Used>, key: keyof Used): readonly Row[] {
  const bare = best.get(BARE)![key];
  const unit = key === 'cpuMs' ? 'ms CPU' : 'ms';
  return [...best].map(([name, used]) => {
    return { name, value: used[key], unit, ratio: used[key] / bare, n: ROUNDS };
  });
}

/** Bash tells what a process used from its start to its end; Node can tell only of itself. */
function measure(args: readonly string[], home: string): Used {
  const script = `TIMEFORMAT='%3U %3S %3R'; time "$0" "$@" >/dev/null 2>&1`;
  const { error, status, stderr } = spawnSync('bash', ['-c', script, process.execPath, ...args], {
    cwd: home,
    env: environment(home),
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${args.join(' ')} exits with ${status}`);
  const [user = NaN, system = NaN, wall = NaN] = stderr.trim().split(' ').map(Number);
  return { cpuMs: (user + system) * 1000, wallMs: wall * 1000 };
}
