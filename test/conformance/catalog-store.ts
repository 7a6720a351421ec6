import { describe, expect, test } from 'vitest';

import { type CatalogStore, type CatalogTool, serverName } from '../../src/core/index.js';
import { aChange, aServer, aTool, tuesday } from '../fixtures/store/samples.js';

/** What every `CatalogStore` must do. Each test uses its own servers, so they share one store. */
export function describeCatalogStore(engine: string, open: () => CatalogStore): void {
  const toolsOf = async (server: string) =>
    (await open().load()).tools.filter((tool) => tool.server === server);

  describe(`CatalogStore on ${engine}`, () => {
    // covers: STORE-EXACT
    test('catalog store returns a server and its tools exactly as saved', async () => {
      const server = aServer('exact');
      const tools = [
        aTool('exact', 'zebra', { status: 'blocked', reason: 'its definition changed' }),
        aTool('exact', 'apple'),
      ];

      await open().save({ server, tools, changes: [] });

      const loaded = await open().load();
      expect(loaded.servers.find(({ name }) => name === 'exact')).toEqual(server);
      expect(loaded.tools.filter((tool) => tool.server === 'exact')).toEqual(tools);
    });

    test('catalog store keeps the order of keys and text that PostgreSQL itself refuses', async () => {
      const definition = {
        name: 'odd',
        zulu: 1,
        inputSchema: { type: 'object', properties: { z: {}, a: {}, bb: {} } },
        description: 'nul \0, half a pair \ud800, emoji 🐘, "quotes" \\ and {braces}',
        alpha: null,
      };

      await open().save({
        server: aServer('odd'),
        tools: [aTool('odd', 'odd', { definition })],
        changes: [],
      });

      const [loaded] = await toolsOf('odd');
      expect(JSON.stringify(loaded?.definition)).toBe(JSON.stringify(definition));
    });

    test('catalog store saves a tool whose name and reason hold a NUL under a replaced name', async () => {
      const tool = aTool('nul', 'a\0b', { hash: 'h', status: 'quarantined', reason: 'bad\0name' });

      await open().save({ server: aServer('nul'), tools: [tool], changes: [aChange(tool)] });

      expect(await toolsOf('nul')).toMatchObject([{ id: 'nul:a\uFFFDb', reason: 'bad\uFFFDname' }]);
    });

    test('catalog store replaces the tools of a server and leaves those of others alone', async () => {
      const other = aTool('bystander', 'stays');
      await open().save({ server: aServer('bystander'), tools: [other], changes: [] });
      const before = [aTool('replaced', 'old'), aTool('replaced', 'kept')];
      await open().save({ server: aServer('replaced'), tools: before, changes: [] });
      const after = [aTool('replaced', 'kept', { hash: 'new' }), aTool('replaced', 'new')];

      await open().save({
        server: aServer('replaced', { configHash: 'config-2', eras: ['legacy', 'modern'] }),
        tools: after,
        changes: [],
      });

      expect(await toolsOf('replaced')).toEqual(after);
      expect(await toolsOf('bystander')).toEqual([other]);
      expect((await open().load()).servers).toContainEqual(
        aServer('replaced', { configHash: 'config-2', eras: ['legacy', 'modern'] }),
      );
    });

    test('catalog store forgets the reason when a tool becomes active again', async () => {
      const blocked = aTool('healed', 'tool', { status: 'blocked', reason: 'changed' });
      await open().save({ server: aServer('healed'), tools: [blocked], changes: [] });

      await open().save({
        server: aServer('healed'),
        tools: [aTool('healed', 'tool')],
        changes: [],
      });

      expect(await toolsOf('healed')).toEqual([aTool('healed', 'tool')]);
    });

    test('catalog store keeps the last of two tools with the same name', async () => {
      const twice = [aTool('twice', 'same', { hash: 'first' }), aTool('twice', 'same')];

      await open().save({ server: aServer('twice'), tools: twice, changes: [] });

      expect(await toolsOf('twice')).toEqual([aTool('twice', 'same')]);
    });

    test('catalog store writes all of an update or nothing', async () => {
      const tool = aTool('atomic', 'before');
      await open().save({ server: aServer('atomic'), tools: [tool], changes: [] });
      const broken = aTool('atomic', 'after', { status: 'nonsense' as CatalogTool['status'] });

      const saving = open().save({
        server: aServer('atomic', { configHash: 'config-2' }),
        tools: [broken],
        changes: [aChange(broken)],
      });

      await expect(saving).rejects.toMatchObject({ code: 'STORE_FAILED' });
      expect(await toolsOf('atomic')).toEqual([tool]);
      expect(await open().changes({ tool: broken.id, limit: 10 })).toEqual([]);
    });

    test('catalog store keeps concurrent saves apart', async () => {
      const names = ['one', 'two', 'three', 'four', 'five'].map((name) => `parallel-${name}`);

      await Promise.all(
        names.map((name) =>
          open().save({ server: aServer(name), tools: [aTool(name, 'tool')], changes: [] }),
        ),
      );

      for (const name of names) expect(await toolsOf(name)).toEqual([aTool(name, 'tool')]);
    });

    test('catalog store saves and loads five thousand tools', async () => {
      const tools = Array.from({ length: 5_000 }, (_, index) => aTool('large', `tool-${index}`));
      const changes = tools.map((tool) => aChange(tool));

      await open().save({ server: aServer('large'), tools, changes });

      expect(await toolsOf('large')).toEqual(tools);
      await open().removeServer(serverName('large'));
    });

    test('catalog store lists changes newest first, also within the same moment', async () => {
      const tool = aTool('changing', 'tool');
      const first = aChange(tool);
      const second = aChange(tool, {
        kind: 'changed',
        oldHash: 'a',
        newHash: 'b',
        diff: ['- a', '+ b'],
      });
      const third = aChange(tool, { kind: 'approved', at: tuesday });

      await open().save({
        server: aServer('changing'),
        tools: [tool],
        changes: [first, third, second],
      });

      expect(await open().changes({ tool: tool.id, limit: 10 })).toEqual([third, second, first]);
      expect(await open().changes({ tool: tool.id, limit: 1 })).toEqual([third]);
      expect(await open().changes({ limit: 10_000 })).toEqual(
        expect.arrayContaining([third, second, first]),
      );
    });

    test('catalog store removes a server with its tools but keeps its history', async () => {
      const tool = aTool('leaving', 'tool');
      await open().save({ server: aServer('leaving'), tools: [tool], changes: [aChange(tool)] });

      await open().removeServer(serverName('leaving'));

      expect(await toolsOf('leaving')).toEqual([]);
      expect((await open().load()).servers.map(({ name }) => name)).not.toContain('leaving');
      expect(await open().changes({ tool: tool.id, limit: 10 })).toEqual([aChange(tool)]);
    });

    test('catalog store ignores the removal of an unknown server', async () => {
      await expect(open().removeServer(serverName('never-seen'))).resolves.toBeUndefined();
    });
  });
}
