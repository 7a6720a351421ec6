import { renameSync } from 'node:fs';

import { expect, test } from 'vitest';

import { fixtureServer, Workspace } from '../helpers/workspace.js';

test('a daemon whose data directory is gone ends with SIGTERM, and so do its servers', async () => {
  await using workspace = await Workspace.create({
    mcpServers: { plain: fixtureServer('plain-server.mjs') },
  });
  await workspace.run('call', 'plain:echo', '--text', 'hello');
  const { pid } = await workspace.status();

  // In one step: a folder that the daemon writes to cannot be emptied.
  renameSync(workspace.dataDir, `${workspace.dataDir}-gone`);
  process.kill(pid, 'SIGTERM');

  await expect.poll(() => workspace.processes(), { timeout: 30_000 }).toEqual([]);
});
