import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Finding } from '../../src/cli/doctor/finding.js';
import { chaos, plain, Workspace } from '../helpers/workspace.js';

async function examine(workspace: Workspace, ...options: string[]) {
  const { code, stdout, stderr } = await workspace.run('doctor', '--json', ...options);
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  const of = (what: string) => findings.find((finding) => finding.what === what);
  return { code, stderr, of };
}

// covers: DOCTOR-FIX
test('doctor starts every server, reports which fail, and leaves no process running', async () => {
  await using workspace = await Workspace.create({
    embedding: 'gte-small',
    mcpServers: {
      good: plain(),
      dies: chaos('exit-init'),
      listless: chaos('list-error'),
      gone: { command: 'no-such-program-here' },
      unset: { command: 'node', env: { KEY: '${PML_TEST_NEVER_SET}' } },
    },
  });

  const { code, stderr, of } = await examine(workspace);

  expect(code).toBe(1);
  expect(stderr).toContain('Starting 4 servers');
  expect(of('server good')?.level).toBe('ok');
  expect(of('server dies')).toMatchObject({
    level: 'fail',
    fix: 'pml logs dies shows what it printed.',
  });
  expect(of('server listless')?.message).toContain('database is locked');
  expect(of('server gone')?.message).toContain('no-such-program-here');
  expect(of('server unset')?.message).toContain('PML_TEST_NEVER_SET');
  expect(of('store')?.level).toBe('ok');
  expect(of('model')?.level).toBe('ok');
  await expect(workspace.status()).rejects.toThrow('no daemon runs');
});

test('doctor reports a damaged store and repairs it on demand', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await examine(workspace);
  rmSync(join(workspace.dataDir, 'store', 'pg', 'PG_VERSION'));

  const damaged = await examine(workspace);
  const repaired = await examine(workspace, '--repair');

  expect(damaged).toMatchObject({ code: 1 });
  expect(damaged.of('store')).toMatchObject({ level: 'fail' });
  expect(repaired).toMatchObject({ code: 0 });
  expect(repaired.of('repair')?.fix).toContain(join(workspace.dataDir, 'store', 'damaged'));
  expect(repaired.of('store')?.level).toBe('ok');
});

test('doctor does not repair a store in use', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await workspace.connect();

  const { code, of } = await examine(workspace, '--repair');

  expect(code).toBe(1);
  expect(of('repair')).toMatchObject({
    level: 'fail',
    fix: expect.stringContaining('pml stop') as string,
  });
  expect(of('daemon')?.level).toBe('ok');
});

test.each([
  ['status', '--bogus'],
  ['tools', 'refresh', '--bogus'],
  ['serve', '--bogus'],
])('wrong usage, as in `%s %s`, exits with 2', async (...args) => {
  await using workspace = await Workspace.create({}, { isNew: true });

  const { code } = await workspace.run(...args);

  expect(code).toBe(2);
});
