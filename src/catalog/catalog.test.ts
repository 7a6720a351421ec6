import { expect, test } from 'vitest';

import {
  type CatalogSnapshot,
  type CatalogStore,
  type CatalogUpdate,
  type KeptCatalog,
  serverName,
  silentLogger,
} from '../core/index.js';
import { Catalog } from './catalog.js';

const MAIL = serverName('mail');

function fakeStore(stored: CatalogSnapshot = { servers: [], tools: [] }) {
  const saved: CatalogUpdate[] = [];
  const store: CatalogStore = {
    load: async () => stored,
    save: async (update) => void saved.push(update),
    removeServer: async () => {},
    changes: async () => [],
  };
  return { store, saved };
}

function fakeFiles(snapshot?: CatalogSnapshot) {
  const saved: string[] = [];
  const kept: KeptCatalog = {
    load: async () => snapshot,
    save: async ({ server }) => void saved.push(server.name),
    remove: async () => {},
  };
  return { kept, saved };
}

function createCatalog(kept?: KeptCatalog): Catalog {
  return new Catalog({
    onDefinitionChange: 'warn',
    log: silentLogger,
    now: () => new Date(0),
    ...(kept && { kept }),
  });
}

function refresh(catalog: Catalog, description: string): void {
  catalog.refresh({
    server: MAIL,
    configHash: 'hash',
    listing: {
      capabilities: {},
      serverInfo: {},
      resources: [],
      resourceTemplates: [],
      prompts: [],
    },
    rawTools: [{ name: 'send', description, inputSchema: { type: 'object' } }],
    eras: ['legacy'],
    wasProbed: true,
  });
}

const listed = (description: string): CatalogSnapshot => {
  const catalog = createCatalog();
  refresh(catalog, description);
  return { servers: catalog.servers(), tools: catalog.tools() };
};
const descriptions = (catalog: Catalog) =>
  catalog.tools().map(({ definition }) => definition.description);

test('catalog answers from the files beside the store before the store is open', async () => {
  const catalog = createCatalog(fakeFiles(listed('of the files')).kept);

  expect(await catalog.restore()).toBe(true);
  expect(descriptions(catalog)).toEqual(['of the files']);
});

test('catalog that has no files says so, and rebuilds them from the store', async () => {
  const { kept, saved } = fakeFiles();
  const catalog = createCatalog(kept);

  const isRestored = await catalog.restore();
  await catalog.attach(fakeStore(listed('of the store')).store);

  expect([isRestored, descriptions(catalog), saved]).toEqual([false, ['of the store'], ['mail']]);
});

test('catalog keeps what a server listed before the store was open, and saves it then', async () => {
  const catalog = createCatalog(fakeFiles(listed('of the files')).kept);
  await catalog.restore();
  refresh(catalog, 'of the server');
  const { store, saved } = fakeStore(listed('of the store'));

  await catalog.attach(store);
  await catalog.settled();

  expect(descriptions(catalog)).toEqual(['of the server']);
  expect(saved.map(({ changes }) => changes.map(({ kind }) => kind))).toEqual([['changed']]);
});

test('catalog gives a store that was lost the lists of the files', async () => {
  const catalog = createCatalog(fakeFiles(listed('of the files')).kept);
  await catalog.restore();
  const { store, saved } = fakeStore();

  await catalog.attach(store);
  await catalog.settled();

  expect(saved.map(({ server, tools }) => [server.name, tools.length])).toEqual([['mail', 1]]);
});
