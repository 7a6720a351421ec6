/** The command `pml` as it is installed: quick commands by itself, the others by the modules. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function pml(...args: readonly string[]) {
  return runIn(join(root, 'dist'), args);
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'pml-command-'));

function runIn(dist: string, args: readonly string[], home = newFolder()) {
  const { status, stdout, stderr } = spawnSync(join(dist, 'pml.cjs'), args, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

// covers: CLI-QUICK
test.each([
  ['a quick command', ['runs', '--help'], 0, /Usage: pml runs/],
  ['a command of the modules', ['init', '--help'], 0, /Usage: pml init/],
  ['help of a quick command', ['help', 'runs'], 0, /Usage: pml runs/],
  ['the overview', ['--help'], 0, /Set up:/],
  ['the version', ['--version'], 0, /^\d+\.\d+\.\d+\n$/],
  ['completion of an option', ['__complete', 'runs', '--li'], 0, /^--limit\n$/],
  ['completion for a command of the modules', ['__complete', 'init', '--cl'], 0, /^--client\n$/],
] as const)('pml runs %s', (_, args, code, printed) => {
  const { status, stdout, stderr } = pml(...args);

  expect(stderr).toBe('');
  expect(stdout).toMatch(printed);
  expect(status).toBe(code);
});

test('a quick command that loads modules prints nothing to stderr', () => {
  const home = newFolder();
  const config = join(home, 'pml.json');
  writeFileSync(config, JSON.stringify({ mcpServers: {} }));
  const run = (...args: readonly string[]) =>
    runIn(join(root, 'dist'), [...args, '--config', config], home);

  try {
    for (const args of [['status'], ['tools', '--tokens'], ['runs']]) {
      expect(run(...args)).toMatchObject({ stderr: '', status: 0 });
    }
  } finally {
    run('stop');
  }
});

test.each([
  ['a quick command without a configuration', ['runs'], 1, '[CONFIG_NOT_FOUND]'],
  ['an unknown command', ['statsu'], 2, 'Did you mean pml status?'],
  ['an unknown option of a quick command', ['runs', '--nope'], 2, "unknown option '--nope'"],
] as const)('pml reports %s on stderr', (_, args, code, told) => {
  const { status, stdout, stderr } = pml(...args);

  expect(stderr).toContain(told);
  expect(stdout).toBe('');
  expect(status).toBe(code);
});

// covers: CLI-QUICK
describe('code that V8 compiled for a quick command', () => {
  let dist: string;
  const compiled = () => join(dist, 'compiled');
  const kept = () => join(compiled(), readdirSync(compiled())[0] ?? 'nothing');
  const start = () => runIn(dist, ['runs'], dirname(dist));

  beforeEach(() => {
    const folder = newFolder();
    dist = join(folder, 'dist');
    for (const part of ['dist/pml.cjs', 'dist/quick', 'dist/build.json', 'package.json']) {
      cpSync(join(root, part), join(folder, part), { recursive: true });
    }
  });

  test('compiled code of the first start serves the next starts unchanged', () => {
    const first = start();
    const before = statSync(kept());
    const second = start();

    expect(first).toMatchObject({ status: 1, stderr: expect.stringContaining('CONFIG_NOT_FOUND') });
    expect(second).toEqual(first);
    expect(before.size).toBeGreaterThan(50_000);
    expect(statSync(kept()).ino).toBe(before.ino);
    expect(readdirSync(compiled())).toHaveLength(1);
  });

  test.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['changed in one byte', (bytes: Buffer) => Buffer.from(bytes).fill(7, 30_000, 30_001)],
    ['damaged in one half', (bytes: Buffer) => Buffer.from(bytes).fill(7, 200, bytes.length / 2)],
    ['not ours', () => Buffer.from('hello, this is no compiled code at all')],
  ])('compiled code that is %s is replaced, and the command runs', (_, damage) => {
    const first = start();
    const whole = readFileSync(kept());
    writeFileSync(kept(), damage(whole));

    expect(start()).toEqual(first);
    expect(Math.abs(readFileSync(kept()).length - whole.length)).toBeLessThan(10_000);
  });

  test('the command runs where PML cannot keep compiled code', () => {
    writeFileSync(compiled(), 'a file is in the way');

    expect(start()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('CONFIG_NOT_FOUND'),
    });
  });

  test('compiled code of another build is not used', () => {
    const first = start();
    const other = kept().replace(/runs-[\da-f]{12}/, 'runs-000000000000');
    writeFileSync(other, 'of another build');

    expect(kept()).toMatch(/runs-[\da-f]{12}-v\d+/);
    expect(start()).toEqual(first);
    expect(readFileSync(other, 'utf8')).toBe('of another build');
  });
});

// covers: CLI-QUICK
describe('code that V8 compiled for the relay and the daemon', () => {
  /** Some that `pml serve` gives to a daemon, and one that a client may give to Node. */
  const FLAGS = ['--always-sparkplug', '--liftoff-only', '--max-semi-space-size=8'];
  const OTHER = '--max-old-space-size=900';
  let folder: string;
  const compiled = () => join(folder, 'dist/compiled');
  const kept = () => readdirSync(compiled()).map((file) => join(compiled(), file));

  function start(command: string, flags: readonly string[] = []) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [...flags, join(folder, 'dist/cli.js'), command],
      { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder }, encoding: 'utf8' },
    );
    return { status, stderr };
  }

  beforeEach(() => {
    folder = newFolder();
    const parts = ['cli.js', 'resident.cjs', 'resident', 'build.json'].map((one) => `dist/${one}`);
    for (const part of [...parts, 'package.json']) {
      cpSync(join(root, part), join(folder, part), { recursive: true });
    }
  });

  test.each([
    ['relay', 'serve', [], 'CONFIG_NOT_FOUND'],
    ['daemon', 'daemon', FLAGS, 'BAD_REQUEST'],
  ] as const)('a %s reuses what an earlier one compiled', (_, command, flags, told) => {
    const first = start(command, flags);
    const [path = 'nothing'] = kept();
    const { ino } = statSync(path);
    const second = start(command, flags);

    expect(first).toMatchObject({ status: 1, stderr: expect.stringContaining(told) });
    expect(second).toEqual(first);
    expect(kept()).toEqual([path]);
    expect(statSync(path).ino).toBe(ino);
  });

  test('what is damaged is replaced, and the daemon starts', () => {
    const first = start('daemon', FLAGS);
    const [path = 'nothing'] = kept();
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.from(whole).fill(7, 500, whole.length / 2));

    expect(start('daemon', FLAGS)).toEqual(first);
    expect(readFileSync(path).includes(Buffer.alloc(1_000, 7))).toBe(false);
  });

  test('a process with other flags keeps its own, and no other user can write there', () => {
    start('daemon', FLAGS);
    start('daemon', [...FLAGS, OTHER]);

    expect(kept()).toHaveLength(2);
    for (const path of [compiled(), ...kept()]) expect(statSync(path).mode & 0o022).toBe(0);
  });

  test('both run where nothing can be kept', () => {
    writeFileSync(compiled(), 'a file is in the way');

    expect(start('serve').stderr).toContain('CONFIG_NOT_FOUND');
    expect(start('daemon', FLAGS).stderr).toContain('BAD_REQUEST');
  });
});
