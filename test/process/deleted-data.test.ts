import { rmSync } from 'node:fs';

import { expect, test } from 'vitest';

import { fixtureServer, Workspace } from '../helpers/workspace.js';

test('a daemon whose data directory was deleted ends with SIGTERM, and so do its servers', async () => {
  await using workspace = await Workspace.create({
    mcpServers: { plain: fixtureServer('plain-server.mjs') },
  });
  await workspace.run('call', 'plain:echo', '--text', 'hello');
  const { pid } = await workspace.status();

  rmSync(workspace.dataDir, { recursive: true, force: true });
  process.kill(pid, 'SIGTERM');

  await expect.poll(() => workspace.processes(), { timeout: 30_000 }).toEqual([]);
});
