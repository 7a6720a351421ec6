/**
 * How long a command takes to start, against bare Node (`node -e 0`) in the same run. The rounds alternate,
 * and the CPU time of the fastest round counts: on a busy machine the time on the wall says little. There
 * is no configuration, so a command that asks the daemon loads all it needs for that and then ends.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createReport, type Report } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const ROUNDS = 15;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'pml version': [CLI, 'version'],
  'pml --help': [CLI, '--help'],
  'pml runs --help': [CLI, 'runs', '--help'],
  'pml runs': [CLI, 'runs'],
  'pml show latest': [CLI, 'show', 'latest'],
  'pml tools': [CLI, 'tools'],
  'pml search': [CLI, 'search', 'a file'],
  'pml call': [CLI, 'call', 'a:b'],
  'pml status': [CLI, 'status'],
};

export async function run(): Promise<Report> {
  const home = mkdtempSync(join(tmpdir(), 'pml-bench-'));
  const meter = join(home, 'meter.cjs');
  // Loaded into every process, bare Node too: it writes what the process used when it ends.
  writeFileSync(
    meter,
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.METER, JSON.stringify(process.cpuUsage())));`,
  );
  try {
    const best = new Map(Object.keys(COMMANDS).map((name) => [name, Infinity]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, args] of Object.entries(COMMANDS)) {
        best.set(name, Math.min(best.get(name)!, cpuMs(args, { home, meter })));
      }
    }
    const bare = best.get('node -e 0')!;
    const rows = [...best].map(([name, value]) => {
      return { name, value, unit: 'ms CPU', ratio: value / bare, n: ROUNDS };
    });
    return createReport('cli-start', rows);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function cpuMs(
  args: readonly string[],
  { home, meter }: { readonly home: string; readonly meter: string },
): number {
  const file = join(home, 'used.json');
  const env = { PATH: process.env['PATH'], HOME: home, METER: file };
  const { error } = spawnSync(process.execPath, ['--require', meter, ...args], { cwd: home, env });
  if (error) throw error;
  const { user, system } = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.CpuUsage;
  return (user + system) / 1000;
}
