/** The command `pml` as it is installed: quick commands by itself, the others by the modules. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function pml(...args: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'pml-command-'));
  const { status, stdout, stderr } = spawnSync(join(root, 'dist/pml.cjs'), args, {
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
