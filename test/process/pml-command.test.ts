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

  test('of all quick files only the one that loads the tokenizer loads modules and is not kept', () => {
    const quick = join(root, 'dist/quick');
    const loading = readdirSync(quick).filter((file) =>
      /(?<![\w.$])import\(/.test(readFileSync(join(quick, file), 'utf8')),
    );

    expect(loading).toEqual(['tokenizer.cjs']);
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
