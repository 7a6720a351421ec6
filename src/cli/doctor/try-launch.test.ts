import { mkdtempSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { judgeLaunch } from './launch.js';
import { judgeNode } from './machine.js';
import { tryLaunch } from './try-launch.js';

const folder = mkdtempSync(join(tmpdir(), 'pml-launch-'));
const around = {
  env: { PATH: folder },
  cwd: folder,
  isOldNode: (version: string) => judgeNode(version).level !== 'ok',
};

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Starts an entry and judges it, as if it were in the file of Cursor. */
async function judge(command: string, ...args: string[]) {
  const outcome = await tryLaunch({ command, args }, around);
  return judgeLaunch({ client: 'cursor', path: '/home/u/.cursor/mcp.json', outcome });
}

const answering = (name: string) =>
  script(
    `${name}.mjs`,
    `import { createInterface } from 'node:readline';
     createInterface({ input: process.stdin }).on('line', (line) => {
       const { id } = JSON.parse(line);
       const result = { serverInfo: { name: ${JSON.stringify(name)}, version: '1' } };
       console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
     });`,
  );

test('a client entry that answers as PML passes', async () => {
  const finding = await judge(process.execPath, answering('pml'), 'serve');

  expect(finding.level).toBe('ok');
  expect(finding.message).toMatch(/starts PML, which answered in \d+ ms/);
});

test('a client entry that starts another server is reported as such', async () => {
  const finding = await judge(process.execPath, answering('stranger'), 'serve');

  expect(finding).toMatchObject({ level: 'fail' });
  expect(finding.message).toContain('starts "stranger", which is not PML');
});

test.each([
  ['a file that is gone', process.execPath, '/gone/pml/dist/cli.js'],
  ['a Node that is gone', '/gone/v22/bin/node', '/gone/v22/bin/node'],
])('an entry with %s is reported with how to write a new one', async (_what, command, gone) => {
  const finding = await judge(command, '/gone/pml/dist/cli.js', 'serve');

  expect(finding).toMatchObject({ level: 'fail' });
  expect(finding.message).toContain(`${gone}, which does not exist`);
  expect(finding.fix).toContain('pml init --client cursor');
});

test('an entry with a Node that is too old names its version', async () => {
  const node = script('node', '#!/bin/sh\necho v18.20.0\n');

  const finding = await judge(node, answering('pml'), 'serve');

  expect(finding).toMatchObject({ level: 'fail' });
  expect(finding.message).toContain('Node 18.20.0, which is too old');
});

test('an entry whose command the client does not find names where the client searches', async () => {
  const finding = await judge('pml-nowhere', 'serve');

  expect(finding).toMatchObject({ level: 'fail' });
  expect(finding.message).toContain(`"pml-nowhere", which the client does not find in ${folder}`);
});

test('an entry that fails is reported with what it printed', async () => {
  const path = script('fails.mjs', 'console.error("no configuration"); process.exit(3);');

  const finding = await judge(process.execPath, path, 'serve');

  expect(finding).toMatchObject({ level: 'fail' });
  expect(finding.message).toContain('with code 3 and did not answer:\nno configuration');
});

test('an entry that lets the package registry choose the version is never started', async () => {
  const proof = join(folder, 'npx-ran');
  const npx = script('npx', `#!/bin/sh\n: > ${proof}\n`);

  const finding = await judge(npx, '-y', 'pml', 'serve');

  expect(finding).toMatchObject({ level: 'fail' });
  expect(finding.message).toContain('not this PML; it was not tried');
  expect(existsSync(proof)).toBe(false);
});

test('an entry with variables of its client is not started and is no failure', async () => {
  const finding = await judge('${workspaceFolder}/pml', 'serve');

  expect(finding).toMatchObject({ level: 'warn' });
});
