/** MCP Apps behind PML: what clients with and without user interfaces see, call and read. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { modernClient } from '../helpers/modern-client.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;
interface ListedTool {
  readonly name: string;
  readonly _meta?: { readonly ui?: { readonly resourceUri?: string } };
}

const SERVER = fileURLToPath(new URL('../fixtures/apps-server.mjs', import.meta.url));
const MIME_TYPE = 'text/html;profile=mcp-app';
const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [MIME_TYPE] } } };
const app = (name: string, rest: Json = {}) => ({
  command: process.execPath,
  args: [SERVER],
  env: { NAME: name },
  ...rest,
});

/** SHA-256 of `tools/list`, from the version of PML before it knew extensions. */
const BEFORE = {
  proxy: '478e7614d8ea8582933c66cd3eb91993ace85e8c98962d8c8b4b9692042217c5',
  meta: '75b3c8cc85df8bec8e6619e3f5ace2b29f034baddfbbb96f6e76192dd54cba8d',
  hybrid: '8b48cb90bbbd8951fecfd9b6e45068b56c407855df4209a28b0e6ba3657f6dac',
};

const toolsOf = async (client: PmlClient) =>
  ((await client.request('tools/list')).result?.['tools'] ?? []) as ListedTool[];
const namesOf = (tools: readonly ListedTool[]) =>
  tools.map(({ name }) => name).filter((name) => !name.startsWith('pml_'));
const addressOf = (tools: readonly ListedTool[], name: string) =>
  tools.find((tool) => tool.name === name)?._meta?.ui?.resourceUri;

// covers: APPS-UNCHANGED
test.each(Object.entries(BEFORE))(
  'client without extensions gets the same bytes as before from tools/list in %s mode',
  async (mode, hash) => {
    const exposure = mode === 'hybrid' ? { mode, pin: ['*:plain_text', 'one:show_chart'] } : mode;
    await using workspace = await Workspace.create({
      exposure,
      mcpServers: { one: app('one'), two: app('two') },
    });
    const client = await workspace.connect();

    const { result } = await client.request('tools/list');

    expect(createHash('sha256').update(JSON.stringify(result)).digest('hex')).toBe(hash);
  },
);

describe('two Apps servers with the same addresses, in meta mode', () => {
  let workspace: Workspace;
  let client: PmlClient;

  beforeAll(async () => {
    workspace = await Workspace.create({
      exposure: 'meta',
      mcpServers: {
        one: app('one'),
        two: app('two', { env: { NAME: 'two', ERAS: 'modern' } }),
        own: app('own', { isolation: 'per-client' }),
      },
    });
    client = await workspace.connect({ capabilities: UI });
  });

  afterAll(() => workspace[Symbol.asyncDispose]());

  // covers: APPS-PINNED
  test('client that declares the extension lists the tools with a user interface, both eras declared', async () => {
    const tools = await toolsOf(client);
    const modern = modernClient(client, UI);
    const again = await modern.request('tools/list');

    expect(namesOf(tools)).toEqual([
      'one__poll_chart',
      'one__show_chart',
      'one__show_map',
      'own__poll_chart',
      'own__show_chart',
      'own__show_map',
      'two__poll_chart',
      'two__show_chart',
      'two__show_map',
    ]);
    expect(again.result?.['tools']).toEqual(tools);
  });

  // covers: APPS-ADDRESSES
  test('addresses keep their scheme and lead to their server in lists, results, links and reads', async () => {
    const tools = await toolsOf(client);
    const address = addressOf(tools, 'two__show_chart') ?? '';
    const called = await client.call('two__show_chart', { label: 'x' });
    const read = await client.request('resources/read', { uri: address });
    const first = await client.request('resources/read', { uri: 'ui://chart/view.html' });
    const unlisted = await client.request('resources/read', { uri: 'ui://chart/map.html' });

    expect(address).toBe('ui://two/chart/view.html');
    expect(addressOf(tools, 'one__show_chart')).toBe('ui://chart/view.html');
    expect(called.result).toMatchObject({
      content: [
        { type: 'text', text: 'two:show_chart:x:true' },
        { type: 'resource_link', uri: address, mimeType: MIME_TYPE },
        { type: 'resource', resource: { uri: address, mimeType: MIME_TYPE } },
      ],
      _meta: { ui: { resourceUri: address } },
    });
    expect(read.result).toMatchObject({
      contents: [{ uri: address, mimeType: MIME_TYPE, _meta: { ui: { prefersBorder: true } } }],
    });
    expect(JSON.stringify(read.result)).toContain('<title>two ');
    expect(JSON.stringify(first.result)).toContain('<title>one ');
    expect(JSON.stringify(unlisted.result)).toContain('<title>one ui://chart/map.html');
  });

  // covers: APPS-HIDDEN
  test('tool that only an app calls is not found by a search, and can be called', async () => {
    const found = await client.text('pml_discover', { intent: 'new points of the chart of sales' });
    const called = await client.text('one__poll_chart', { label: 'y' });

    expect(found).toContain('show_chart');
    expect(found).not.toContain('poll_chart');
    expect(called).toBe('one:poll_chart:y:true');
  });

  test('a per-client server hears what its one client declares', async () => {
    const plain = await workspace.connect();

    expect(await client.text('own__plain_text')).toBe('own:plain_text::true');
    expect(await plain.text('own__plain_text')).toBe('own:plain_text::false');
  });

  // covers: APPS-LATE
  test('client that comes late makes shared servers hear its extension, unless they were called', async () => {
    await using late = await Workspace.create({
      exposure: 'proxy',
      mcpServers: { fresh: app('fresh'), used: app('used') },
    });
    const plain = await late.connect();
    await toolsOf(plain);
    await plain.text('used__plain_text');

    const shown = await late.connect({ capabilities: UI });

    await expect
      .poll(async () => addressOf(await toolsOf(shown), 'fresh__show_map'), { timeout: 20_000 })
      .toBe('ui://chart/map.html');
    expect(addressOf(await toolsOf(shown), 'used__show_map')).toBeUndefined();
    expect(await shown.text('fresh__plain_text')).toBe('fresh:plain_text::true');
  });
});

describe('a tool that only an app calls, of the only server with that name', () => {
  test('it is listed under the name that the app uses', async () => {
    await using workspace = await Workspace.create({
      exposure: 'meta',
      mcpServers: {
        one: app('one'),
        plain: { command: process.execPath, args: [join(SERVER, '..', 'plain-server.mjs')] },
      },
    });
    const client = await workspace.connect({ capabilities: UI });

    expect(namesOf(await toolsOf(client))).toEqual([
      'one__show_chart',
      'one__show_map',
      'poll_chart',
    ]);
    expect(await client.text('poll_chart', { label: 'z' })).toBe('one:poll_chart:z:true');
  });
});
