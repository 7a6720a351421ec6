import { describe, expect, test } from 'vitest';

import {
  type CatalogSnapshot,
  type CatalogStore,
  type CatalogUpdate,
  type JsonValue,
  type PinFile,
  serverName,
  silentLogger,
  type ToolId,
} from '../core/index.js';
import { Catalog } from './catalog.js';
import { DefinitionPins } from './definition-pins.js';
import type { PinPolicy } from './judge-pin.js';

const SERVER = serverName('s');

class MemoryFile implements PinFile {
  readonly path = '/data/pins.json';
  value: JsonValue | undefined;
  failure: Error | undefined;
  writes = 0;

  async read(): Promise<JsonValue | undefined> {
    if (this.failure) throw this.failure;
    return this.value;
  }

  async write(value: JsonValue): Promise<void> {
    if (this.failure) throw this.failure;
    this.value = structuredClone(value);
    this.writes++;
  }
}

/** A store that holds the last update. */
class MemoryCatalog implements CatalogStore {
  #saved: CatalogUpdate | undefined;

  async load(): Promise<CatalogSnapshot> {
    const saved = this.#saved;
    return saved ? { servers: [saved.server], tools: saved.tools } : { servers: [], tools: [] };
  }

  async save(update: CatalogUpdate): Promise<void> {
    this.#saved = update;
  }

  async removeServer(): Promise<void> {
    this.#saved = undefined;
  }

  async changes() {
    return this.#saved?.changes ?? [];
  }
}

const BLOCK: PinPolicy = { onChange: 'block', newTools: 'allow' };

/** A starting daemon: reads its pins, and its store if there is one. */
async function started(
  file: MemoryFile,
  { policy = BLOCK, store }: { policy?: PinPolicy; store?: CatalogStore } = {},
) {
  const pins = new DefinitionPins({ file, log: silentLogger });
  const catalog = new Catalog({
    onDefinitionChange: policy.onChange,
    newTools: policy.newTools,
    pins,
    log: silentLogger,
    now: () => new Date(1),
  });
  await pins.load();
  if (store) await catalog.attach(store);
  const list = (tools: Readonly<Record<string, string>>, configHash = 'entry') => {
    catalog.refresh({
      server: SERVER,
      configHash,
      listing: {
        capabilities: {},
        serverInfo: {},
        resources: [],
        resourceTemplates: [],
        prompts: [],
      },
      rawTools: Object.entries(tools).map(([name, description]) => ({
        name,
        description,
        inputSchema: { type: 'object' },
      })),
      eras: ['legacy'],
      wasProbed: true,
    });
    return catalog.toolsOf(SERVER).map(({ id, status }) => `${id} ${status}`);
  };
  return { catalog, pins, list };
}

// covers: SAFE-PINNED
describe('definition pins without a store', () => {
  test('definition pins survive a restart: a changed definition is blocked after it', async () => {
    const file = new MemoryFile();
    const first = await started(file);
    first.list({ add: 'Adds', sub: 'Subtracts' });
    await first.catalog.settled();

    const second = await started(file);

    expect(second.list({ add: 'Adds, and mails it', sub: 'Subtracts' })).toEqual([
      's:add blocked',
      's:sub active',
    ]);
    expect(second.pins.changes(10)).toMatchObject([{ tool: 's:add', kind: 'changed' }]);
  });

  test('definition pins remember approvals, so a tool may return to any approved definition', async () => {
    const file = new MemoryFile();
    const first = await started(file);
    first.list({ add: 'one' });
    first.list({ add: 'two' });
    first.catalog.approve('s:add' as ToolId);
    await first.catalog.settled();

    const second = await started(file);

    expect(second.list({ add: 'two' })).toEqual(['s:add active']);
    expect(second.list({ add: 'three' })).toEqual(['s:add blocked']);
    expect(second.list({ add: 'one' })).toEqual(['s:add active']);
  });

  test('definition pins keep a user-blocked tool blocked, whatever it becomes, until an approval', async () => {
    const file = new MemoryFile();
    const policy: PinPolicy = { onChange: 'warn', newTools: 'allow' };
    const first = await started(file, { policy });
    first.list({ add: 'one' });
    const blocked = first.catalog.block('s:add' as ToolId);
    await first.catalog.settled();

    const second = await started(file, { policy });

    expect(blocked).toMatchObject({
      status: 'blocked',
      reason: 'the user blocked it; pml tools approve s:add',
    });
    expect(second.list({ add: 'one' })).toEqual(['s:add blocked']);
    expect(second.list({ add: 'two' })).toEqual(['s:add blocked']);
    expect(second.pins.changes(10).map(({ kind }) => kind)).toEqual(['changed', 'blocked']);
    second.catalog.approve('s:add' as ToolId);
    expect(second.list({ add: 'two' })).toEqual(['s:add active']);
  });

  test('definition pins block new tools until an approval if the user wants that, and keep the approval', async () => {
    const file = new MemoryFile();
    const policy: PinPolicy = { onChange: 'warn', newTools: 'ask' };
    const first = await started(file, { policy });
    first.list({ add: 'Adds' });
    expect(first.list({ add: 'Adds', fresh: 'New' })).toEqual(['s:add active', 's:fresh blocked']);
    first.catalog.approve('s:fresh' as ToolId);
    await first.catalog.settled();

    const second = await started(file, { policy });

    expect(second.list({ add: 'Adds', fresh: 'New' })).toEqual(['s:add active', 's:fresh active']);
  });

  test('definition pins are written only after a change', async () => {
    const file = new MemoryFile();
    const { list, catalog } = await started(file);
    list({ add: 'Adds' });
    await catalog.settled();
    list({ add: 'Adds' });
    await catalog.settled();

    expect(file.writes).toBe(1);
  });
});

describe('definition pins that fail', () => {
  test('unreadable definition pins refuse calls, naming the file and the fix, and leave the file unchanged', async () => {
    const file = new MemoryFile();
    file.failure = new Error('/data/pins.json is damaged: its checksum is wrong');
    const { pins, list, catalog } = await started(file);
    file.failure = undefined;
    list({ add: 'Adds' });
    await catalog.settled();

    await expect(pins.assertKept()).rejects.toMatchObject({
      code: 'PINS_FAILED',
      message: expect.stringMatching(/pins\.json is damaged.*delete it.*pml restart/s) as string,
    });
    expect(file.writes).toBe(0);
  });

  test('definition pins refuse calls only while they cannot be written', async () => {
    const file = new MemoryFile();
    const { pins, list, catalog } = await started(file);
    file.failure = new Error('disk full');
    list({ add: 'Adds' });
    await catalog.settled();
    await expect(pins.assertKept()).rejects.toMatchObject({ code: 'PINS_FAILED' });

    file.failure = undefined;
    await pins.assertKept();

    expect(file.writes).toBe(1);
  });
});

describe('definition pins beside a store', () => {
  const stored = async (texts: readonly string[]) => {
    const store = new MemoryCatalog();
    const before = new Catalog({
      onDefinitionChange: 'block',
      log: silentLogger,
      now: () => new Date(0),
    });
    await before.attach(store);
    for (const description of texts) {
      before.refresh({
        server: SERVER,
        configHash: 'entry',
        listing: {
          capabilities: {},
          serverInfo: {},
          resources: [],
          resourceTemplates: [],
          prompts: [],
        },
        rawTools: [{ name: 'add', description, inputSchema: { type: 'object' } }],
        eras: ['legacy'],
        wasProbed: true,
      });
    }
    await before.settled();
    return store;
  };

  test('definition pins import the definitions of an older store once', async () => {
    const file = new MemoryFile();
    const store = await stored(['Adds']);

    const { list, catalog } = await started(file, { store });
    await catalog.settled();

    expect(file.writes).toBe(1);
    expect(list({ add: 'Adds, and mails it' })).toEqual(['s:add blocked']);
  });

  test('definition pins keep a tool blocked that an older store had blocked', async () => {
    const file = new MemoryFile();
    const store = await stored(['Adds', 'Adds, and mails it']);

    const { list, catalog } = await started(file, { store });

    expect(catalog.tool('s:add' as ToolId)).toMatchObject({ status: 'blocked' });
    expect(list({ add: 'Adds, and mails it' })).toEqual(['s:add blocked']);
  });

  test('definition pins win when the store disagrees', async () => {
    const file = new MemoryFile();
    const first = await started(file);
    first.list({ add: 'Adds' });
    await first.catalog.settled();

    const { catalog } = await started(file, { store: await stored(['Adds, and mails it']) });

    expect(catalog.tool('s:add' as ToolId)).toMatchObject({ status: 'blocked' });
  });
});
