/** Fixed parameters of `tools.override`: their secrets and their definitions stay inside PML. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { modernClient } from '../helpers/modern-client.js';
import { Workspace } from '../helpers/workspace.js';

const SERVER = fileURLToPath(new URL('../fixtures/tasks-server.mjs', import.meta.url));
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: {} };
const SECRET = 'label-of-the-vault-93184';
const OWN_WORDS = 'Counts as the owner of PML describes it';

let workspace: Workspace;
let server: ReturnType<typeof spawn>;

beforeAll(async () => {
  server = spawn(process.execPath, [SERVER], {
    env: { ...process.env, PORT: '0', ERAS: 'modern' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
  workspace = await Workspace.create(
    {
      exposure: 'proxy',
      permissions: { allow: ['*'] },
      mcpServers: { far: { url: `http://127.0.0.1:${port}/mcp` } },
      tools: {
        override: {
          'far:slow_compute': { description: OWN_WORDS, fix: { label: '${VAULT_LABEL}' } },
        },
      },
    },
    { variables: { VAULT_LABEL: SECRET } },
  );
});

afterAll(async () => {
  server.kill('SIGKILL');
  await workspace[Symbol.asyncDispose]();
});

// covers: OVERRIDE-SECRETS
test('the secret of a fixed parameter is masked in the result of a remote task', async () => {
  const client = modernClient(workspace.spawn(), TASKS);
  const called = await client.call('far__slow_compute', { seconds: 0 });
  const id = String((called as Record<string, unknown>)['taskId']);
  let task: Record<string, unknown> = {};
  await expect
    .poll(async () => (task = await client.task('get', id))['status'], { timeout: 20_000 })
    .toBe('completed');
  const plainClient = await workspace.connect();
  const waited = await plainClient.text('far__slow_compute', { seconds: 0 });

  const shown = JSON.stringify([called, task, waited]);
  expect(shown).toContain('computed');
  expect(shown).not.toContain(SECRET);
  const { stdout } = await workspace.run('runs', '--json');
  expect(`${stdout}${workspace.log}`).not.toContain(SECRET);
});

test('the stored catalog has definitions as their servers list them', async () => {
  const client = await workspace.connect();
  const listed = JSON.stringify((await client.request('tools/list')).result);

  const stored = filesBelow(join(workspace.dataDir, 'catalog')).map((file) =>
    readFileSync(file, 'utf8'),
  );

  expect(listed).toContain(OWN_WORDS);
  expect(stored.join()).toContain('slow_compute');
  expect(stored.join()).not.toContain(OWN_WORDS);
  expect(stored.join()).not.toContain(SECRET);
  expect(stored.join()).toContain('label');
});

function filesBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
