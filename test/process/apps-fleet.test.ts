/** Published Apps servers behind PML. They are large, so the test runs where they are installed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { Workspace } from '../helpers/workspace.js';

interface ListedTool {
  readonly name: string;
  readonly _meta?: {
    readonly ui?: { readonly resourceUri?: string; readonly visibility?: readonly string[] };
  };
}

const UI = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** The folder that the installer of the fleet was given. */
const FLEET = process.env['PML_FLEET'] ?? '';
const SERVERS = ['system-monitor', 'pdf', 'debug', 'budget-allocator'];
const main = (name: string) => {
  const folder = `s/modelcontextprotocol__server-${name}/node_modules/@modelcontextprotocol`;
  return join(FLEET, folder, `server-${name}/dist/index.js`);
};
const isHere = FLEET !== '' && SERVERS.every((name) => existsSync(main(name)));
const why = isHere ? '' : ' SKIPPED: PML_FLEET names no folder with the published servers';

// covers: APPS-PUBLISHED
test.skipIf(!isHere)(
  `published Apps servers keep their user interfaces behind PML${why}`,
  async () => {
    const entry = (name: string) => ({ command: process.execPath, args: [main(name), '--stdio'] });
    await using workspace = await Workspace.create({
      exposure: 'meta',
      mcpServers: Object.fromEntries(SERVERS.map((name) => [name, entry(name)])),
    });
    const client = await workspace.connect({ capabilities: UI });

    const list = async () =>
      ((await client.request('tools/list')).result?.['tools'] ?? []) as ListedTool[];
    await expect.poll(async () => (await list()).length, { timeout: 30_000 }).toBeGreaterThan(16);
    const tools = await list();
    const addresses = tools.flatMap(({ _meta: meta }) => meta?.ui?.resourceUri ?? []);
    const pages = await Promise.all(
      [...new Set(addresses)].map((uri) => client.request('resources/read', { uri })),
    );
    const found = await client.text('pml_discover', { intent: 'poll system stats of the monitor' });
    const polled = await client.call('poll-system-stats');

    expect(tools.filter(({ _meta: meta }) => meta?.ui)).toHaveLength(13);
    expect(tools.filter(({ _meta: meta }) => meta?.ui?.visibility?.includes('app'))).toHaveLength(
      9,
    );
    expect(pages).toHaveLength(4);
    for (const { result } of pages) {
      const mimeType = 'text/html;profile=mcp-app';
      expect(result).toMatchObject({
        contents: [{ mimeType, uri: expect.stringMatching(/^ui:/) as string }],
      });
    }
    expect(found).not.toContain('poll-system-stats');
    expect(polled.result).toMatchObject({ content: [{ type: 'text' }] });
  },
);
