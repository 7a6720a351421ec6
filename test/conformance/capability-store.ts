import { describe, expect, test } from 'vitest';

import {
  type Capability,
  type CapabilityStore,
  type CapabilityUpdate,
  type CapabilityUse,
  type CapabilityVersion,
  runId,
  serverName,
  toolId,
  type ToolId,
} from '../../src/core/index.js';

const tool = (name: string) => toolId(serverName('files'), name);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute, 0, 123));

function aVersion(identity: string, overrides: Partial<CapabilityVersion> = {}): CapabilityVersion {
  return {
    identity,
    version: 1,
    code: 'return mcp.files.read({ path: args.path });',
    parameters: { type: 'object', properties: { path: { type: 'string', default: 'a' } } },
    lock: { [tool('read')]: { hash: 'h1', inputSchema: { z: 1, a: 2 }, description: 'Reads' } },
    contains: ['other'],
    structure: { nodes: [{ id: 'n1', z: null }], edges: [] },
    toolsUsed: [tool('read')],
    sequence: ['files:read#0', 'files:read#1'],
    invocations: [
      { tool: 'files:read' as ToolId, ok: true, startMs: 0, ms: 4.5 },
      { tool: 'files:read' as ToolId, ok: true, startMs: 1, ms: 2, parent: 0 },
    ],
    statistics: { uses: 1, successes: 1, failuresInRow: 0, totalMs: 12.5, lastUsed: at(1) },
    provenance: { origin: 'learned', at: at(1), run: runId('run-1') },
    ...overrides,
  };
}

function aCapability(name: string, overrides: Partial<Capability> = {}): Capability {
  return {
    name,
    aliases: [],
    description: 'Read a file',
    intents: ['read a file'],
    state: { status: 'active' },
    isPinned: false,
    current: aVersion(`${name}-1`),
    others: [],
    ...overrides,
  };
}

function aUse(capability: string, overrides: Partial<CapabilityUse> = {}): CapabilityUse {
  return {
    capability,
    identity: `${capability}-1`,
    uses: 1,
    successes: 1,
    totalMs: 10,
    failuresInRow: 0,
    lastUsed: at(5),
    ...overrides,
  };
}

/** What every `CapabilityStore` must do. The store is empty at first. */
export function describeCapabilityStore(engine: string, open: () => CapabilityStore): void {
  const save = (update: Partial<CapabilityUpdate>) =>
    open().save({ write: [], remove: [], forget: [], uses: [], ...update });
  const find = async (name: string) => (await open().load()).find((one) => one.name === name);

  describe(`CapabilityStore on ${engine}`, () => {
    test('capability store is empty at first, and accepts an empty update', async () => {
      await save({});

      expect(await open().load()).toEqual([]);
    });

    test('capability store returns capabilities exactly as saved, sorted by name', async () => {
      const plain = aCapability('plain');
      const rich = aCapability('Rich', {
        aliases: ['before'],
        description: 'Größe 🐘',
        intents: ['one', 'two \0 \ud800'],
        state: { status: 'quarantined', cause: 'failures', reason: 'failed 3 times' },
        isPinned: true,
        current: aVersion('rich-2', {
          version: 2,
          lock: {},
          statistics: { uses: 0, successes: 0, failuresInRow: 0, totalMs: 0 },
          provenance: { origin: 'imported', at: at(2) },
        }),
        others: [aVersion('rich-3', { version: 3 }), aVersion('rich-1')],
      });
      const off = aCapability('off', { state: { status: 'disabled', reason: 'not wanted' } });

      await save({ write: [plain, rich, off] });

      expect(await open().load()).toStrictEqual([rich, off, plain]);
      expect(JSON.stringify((await find('plain'))?.current.lock)).toBe(
        JSON.stringify(plain.current.lock),
      );
      await save({ remove: ['plain', 'Rich', 'off', 'never there'] });
      expect(await open().load()).toEqual([]);
    });

    test('capability store keeps the previous version until an update forgets it', async () => {
      const first = aCapability('versioned');
      const second = aVersion('versioned-2', { version: 2, code: 'return 2' });
      await save({ write: [first] });

      await save({ write: [{ ...first, current: second, others: [first.current] }] });
      expect(await find('versioned')).toStrictEqual({
        ...first,
        current: second,
        others: [first.current],
      });

      await save({ forget: [{ capability: 'versioned', identity: 'versioned-1' }] });
      expect((await find('versioned'))?.others).toEqual([]);
    });

    test('capability store keeps versions that a writer does not know', async () => {
      const shared = aCapability('shared');
      const further = aVersion('shared-2', { version: 2 });
      await save({ write: [{ ...shared, others: [further] }] });

      await save({ write: [{ ...shared, isPinned: true }] });

      expect(await find('shared')).toMatchObject({ isPinned: true, others: [further] });
    });

    test('capability store adds uses to the stored statistics, whatever statistics the writer has', async () => {
      await save({ write: [aCapability('used')] });
      await save({ uses: [aUse('used', { uses: 3, successes: 1, failuresInRow: 2 })] });

      await save({ write: [aCapability('used')], uses: [aUse('used', { lastUsed: at(3) })] });

      expect((await find('used'))?.current.statistics).toEqual({
        uses: 5,
        successes: 3,
        failuresInRow: 0,
        totalMs: 32.5,
        lastUsed: at(5),
      });
    });

    test('capability store ignores uses of unknown capabilities and versions', async () => {
      await save({ uses: [aUse('never there'), aUse('used', { identity: 'unknown' })] });

      expect((await find('used'))?.current.statistics.uses).toBe(5);
    });

    test('capability store renames a capability with all its versions', async () => {
      const before = aCapability('oldName', { others: [aVersion('x')] });
      await save({ write: [before] });
      const renamed = { ...before, name: 'newName', aliases: ['oldName'] };

      await save({ remove: ['oldName'], write: [renamed] });

      expect(await find('newName')).toStrictEqual(renamed);
      expect(await find('oldName')).toBeUndefined();
    });

    test('capability store saves nothing if part of an update is invalid', async () => {
      const before = await open().load();
      const nonsense = [{ capability: 'used', identity: 'used-1' }];

      await expect(
        save({ write: [aCapability('sound')], remove: ['newName'], forget: nonsense }),
      ).rejects.toMatchObject({ code: 'STORE_FAILED' });

      expect(await open().load()).toEqual(before);
    });

    test('capability store accepts hundreds of capabilities, and code of megabytes', async () => {
      const many = Array.from({ length: 700 }, (_, index) => aCapability(`many${index}`));
      const long = aVersion('huge-1', { code: `return '${'long '.repeat(500_000)}'` });

      await save({ write: [...many, aCapability('huge', { current: long })] });

      expect((await find('huge'))?.current).toEqual(long);
      const found = new Set((await open().load()).map(({ name }) => name));
      expect(many.filter(({ name }) => !found.has(name))).toEqual([]);
    });

    test('capability store keeps everything if several updates run at once', async () => {
      const [one, other] = [aCapability('one'), aCapability('other')];

      await Promise.all([
        save({ write: [one, other] }),
        save({ write: [other, one] }),
        save({ write: [aCapability('third')], uses: [aUse('used')] }),
      ]);

      expect([await find('one'), await find('other')]).toEqual([one, other]);
      expect((await find('used'))?.current.statistics.uses).toBe(6);
    });
  });
}
