import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { memoryStores } from '../../test/helpers/memory-stores.js';
import {
  aDefinition,
  createCapabilities,
  prove,
  proven,
  someTools,
  START,
} from '../../test/helpers/prove.js';
import { PmlError } from '../core/index.js';
import type { CapabilitiesChange } from './book.js';

const READ = `return mcp.files.read({ path: 'a' })`;
const COPY = `const text = await mcp.files.read({ path: 'a' });
return await mcp.files.write({ path: 'b', text });`;
const COPY_LOUDLY = `const text = await mcp.files.read({ path: 'a' });
return await mcp.files.write({ path: 'b', text: text + '!' });`;

const use = (ok: boolean, ms = 5) => ({ ok, ms, at: START });
const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).toSorted();

/** The error code of a refusal. */
function refusalOf(work: () => void): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof PmlError ? error.code : String(error);
  }
}

/** `copy`, and `copyLog` that calls it. */
function someCapabilities() {
  const capabilities = createCapabilities();
  proven(capabilities, COPY, 'copy');
  proven(capabilities, `await cap.copy({ path: 'q' }); return mcp.git.log({})`, 'copy and log');
  return capabilities;
}

describe('using', () => {
  test('a capability counts its uses, is quarantined after three failures in a row and restored by a success', () => {
    const capabilities = someCapabilities();
    for (const ok of [false, false, true, false, false]) capabilities.used('copy', use(ok));
    expect(capabilities.get('copy')?.state).toEqual({ status: 'active' });

    expect(capabilities.used('copy', use(false)).state).toEqual({
      status: 'quarantined',
      cause: 'failures',
      reason: 'it failed 3 times in a row',
    });
    expect(capabilities.get('copy')?.current.statistics).toEqual({
      uses: 7,
      successes: 2,
      failuresInRow: 3,
      totalMs: 40,
      lastUsed: START,
    });

    expect(capabilities.used('copy', use(true)).state).toEqual({ status: 'active' });
  });

  test('a quarantined capability whose code works again is restored and locked to the current tools', () => {
    const capabilities = someCapabilities();
    const today = someTools({ 'files:read': aDefinition(['path'], { hash: 'changed' }) });
    for (const _ of [1, 2, 3]) capabilities.used('copy', use(false));

    prove(capabilities, COPY, 'copy', { definitionOf: today });

    expect(capabilities.get('copy')?.state.status).toBe('active');
    expect(capabilities.checkLocks(today)).toEqual([]);
  });

  test('a capability that the user disabled stays disabled whether its uses fail or succeed', () => {
    const capabilities = createCapabilities();
    proven(capabilities, COPY, 'copy');
    capabilities.disable('copy', { reason: 'too slow' });

    for (const ok of [false, false, false, true]) capabilities.used('copy', use(ok));
    prove(capabilities, COPY, 'copy');

    expect(capabilities.get('copy')?.state).toEqual({ status: 'disabled', reason: 'too slow' });
    expect(capabilities.enable('copy').state).toEqual({ status: 'active' });
  });

  test('capabilities offer the reliable and the pinned ones only', () => {
    const capabilities = someCapabilities();
    proven(capabilities, READ, 'read');
    expect(names(capabilities.shown())).toEqual(['copy', 'copyLog']);

    capabilities.used('copy', use(false));
    expect(capabilities.reliability('copyLog')).toBe(0.5);
    expect(names(capabilities.shown())).toEqual([]);

    capabilities.pin('read', true);
    expect(names(capabilities.shown())).toEqual(['read']);
  });

  test('a use of an unknown capability is refused with TOOL_UNKNOWN', () => {
    expect(() => createCapabilities().used('x', use(true))).toThrow(
      expect.objectContaining({ code: 'TOOL_UNKNOWN' }),
    );
  });
});

describe('checking locks', () => {
  test('checkLocks accepts a compatible change of a tool and reports it once', () => {
    const capabilities = someCapabilities();
    const today = someTools({ 'files:read': aDefinition(['path', 'head', 'tail']) });

    expect(capabilities.checkLocks(someTools())).toEqual([]);
    expect(capabilities.checkLocks(today)).toEqual([
      { name: 'copy', kind: 'updated', diff: ['files:read: + parameter tail'] },
    ]);
    expect(capabilities.checkLocks(today)).toEqual([]);
  });

  test('checkLocks quarantines a capability with a readable reason and restores it once its tools fit again', () => {
    const capabilities = someCapabilities();
    const today = someTools({ 'files:write': aDefinition(['file', 'text']) });

    const [check] = capabilities.checkLocks(today);

    expect(check).toMatchObject({ name: 'copy', kind: 'quarantined' });
    expect(capabilities.get('copy')?.state).toEqual({
      status: 'quarantined',
      cause: 'definitions',
      reason:
        'files:write: - parameter path is gone (perhaps it is file now); files:write: + parameter file',
    });
    expect(capabilities.checkLocks(today)).toEqual([]);
    expect(capabilities.checkLocks(someTools())).toEqual([
      { name: 'copy', kind: 'restored', diff: [] },
    ]);
    expect(capabilities.get('copy')?.state).toEqual({ status: 'active' });
  });

  test('checkLocks ignores a removed parameter that the code does not give', () => {
    const capabilities = someCapabilities();
    const today = someTools({ 'files:read': aDefinition(['path']) });

    expect(capabilities.checkLocks(today)).toMatchObject([{ name: 'copy', kind: 'updated' }]);
  });

  test('checkLocks skips tools of unknown state: they neither quarantine nor restore a capability', () => {
    const capabilities = someCapabilities();
    const gone = someTools({ 'files:read': undefined, 'git:log': undefined });
    const isKnown = (tool: string) => !tool.startsWith('files:');

    expect(capabilities.checkLocks(gone, isKnown)).toMatchObject([
      { name: 'copyLog', kind: 'quarantined' },
    ]);
    expect(capabilities.checkLocks(gone)).toMatchObject([{ name: 'copy', kind: 'quarantined' }]);
    expect(capabilities.checkLocks(someTools(), isKnown)).toMatchObject([
      { name: 'copyLog', kind: 'restored' },
    ]);
    expect(capabilities.checkLocks(someTools())).toMatchObject([
      { name: 'copy', kind: 'restored' },
    ]);
  });

  test('checkLocks trusts a change that a deliberate run or the user has approved', () => {
    const capabilities = someCapabilities();
    const today = someTools({ 'files:read': undefined, 'git:log': undefined });
    capabilities.checkLocks(today);

    capabilities.used('copy', use(true), today);
    capabilities.enable('copyLog', someTools());

    expect(names(capabilities.list().filter(({ state }) => state.status === 'active'))).toEqual([
      'copy',
      'copyLog',
    ]);
  });
});

describe('what the user does', () => {
  test('a renamed capability is still found by its former name', () => {
    const capabilities = someCapabilities();

    capabilities.rename('copy', 'duplicate');

    expect(capabilities.get('copy')?.name).toBe('duplicate');
    expect(names(capabilities.dependantsOf('duplicate'))).toEqual(['copyLog']);
    expect(capabilities.checkLocks(someTools())).toEqual([]);
    expect(capabilities.rename('duplicate', 'copy')).toMatchObject({
      name: 'copy',
      aliases: ['duplicate'],
    });
  });

  test.each(['', 'two words', '1st', 'then', '__proto__', 'constructor', 'a'.repeat(65)])(
    'rename refuses the name %j',
    (name) => {
      expect(() => someCapabilities().rename('copy', name)).toThrow('Expected a name');
    },
  );

  test('rename refuses a current or former name of another capability', () => {
    const capabilities = someCapabilities();
    capabilities.rename('copy', 'duplicate');

    for (const taken of ['copy', 'duplicate']) {
      expect(() => capabilities.rename('copyLog', taken)).toThrow('belongs to duplicate');
    }
  });

  test('merge joins uses, intents, names and versions of two capabilities', () => {
    const capabilities = someCapabilities();
    proven(capabilities, COPY_LOUDLY, 'copy loudly');
    capabilities.used('copyLoudly', use(false));

    const merged = capabilities.merge('copyLoudly', 'copy');

    expect(merged).toMatchObject({
      name: 'copy',
      aliases: ['copyLoudly'],
      intents: ['copy', 'copy loudly'],
      current: { version: 1, statistics: { uses: 3, successes: 2, failuresInRow: 0 } },
      others: [{ version: 2 }],
    });
    expect(prove(capabilities, COPY_LOUDLY, '')).toMatchObject({ kind: 'known', version: 2 });
  });

  test('merge says why it refuses two capabilities', () => {
    const capabilities = someCapabilities();
    proven(capabilities, READ, 'read');
    proven(capabilities, `return mcp.files.read({ path: args.where })`, 'fetch');
    proven(
      capabilities,
      `await cap.fetch({ where: 'q' }); return mcp.files.read({ path: 'z' })`,
      'twice',
    );
    const merging = (from: string, into: string) => () => capabilities.merge(from, into);

    expect(merging('copy', 'read')).toThrow('call different things');
    expect(merging('copy', 'copy')).toThrow('they are the same');
    expect(merging('fetch', 'read')).toThrow('others call fetch with where');
    expect(merging('fetch', 'twice')).toThrow('would come to call itself');
  });

  test('a capability that others call is removed or disabled only by force, which quarantines its callers', () => {
    const capabilities = someCapabilities();
    expect(() => capabilities.remove('copy')).toThrow('copy is called by copyLog');
    expect(() => capabilities.disable('copy')).toThrow('copy is called by copyLog');

    capabilities.disable('copy', { isForced: true });
    expect(capabilities.get('copyLog')?.state).toMatchObject({
      cause: 'contained',
      reason: 'it calls cap.copy, gone or disabled',
    });

    capabilities.enable('copy');
    expect(capabilities.get('copyLog')?.state).toEqual({ status: 'active' });

    capabilities.remove('copy', { isForced: true });
    expect(capabilities.get('copyLog')?.state.status).toBe('quarantined');
    capabilities.remove('copyLog');
    expect(capabilities.list()).toEqual([]);
  });

  test('restore refuses a version that would call itself', () => {
    const capabilities = createCapabilities();
    proven(capabilities, COPY, 'copy');
    proven(capabilities, `await cap.copy(); return mcp.files.read({ path: 'a' })`, 'look');
    capabilities.checkLocks(someTools({ 'files:read': undefined }));
    proven(capabilities, `return mcp.git.log({})`, 'look');
    proven(capabilities, `await cap.look(); return mcp.git.log({ repo: 'z' })`, 'copy');

    expect(capabilities.get('copy')?.current.contains).toEqual(['look']);
    expect(() => capabilities.restore('look', 1)).toThrow('would come to call itself');
    expect(() => capabilities.restore('look', 9)).toThrow('has no version 9');
  });

  test('no two capabilities ever share a name, whatever is renamed, merged and learned', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('rename' as const), one: name, other: name }),
      fc.record({ kind: fc.constant('merge' as const), one: name, other: name }),
      fc.record({ kind: fc.constant('learn' as const), one: name, other: name }),
      fc.record({ kind: fc.constant('remove' as const), one: name, other: name }),
    );

    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const capabilities = createCapabilities();
        const refusals = steps.map(({ kind, one, other }, index) =>
          refusalOf(() => {
            if (kind === 'rename') capabilities.rename(one, other);
            else if (kind === 'merge') capabilities.merge(one, other);
            else if (kind === 'remove') capabilities.remove(one);
            else prove(capabilities, `${READ}${' + 1'.repeat(index)}`, `${one} it`);
          }),
        );

        expect(['none', 'BAD_REQUEST', 'TOOL_UNKNOWN']).toEqual(expect.arrayContaining(refusals));
        const all = capabilities.list().flatMap((one) => [one.name, ...one.aliases]);
        expect(new Set(all).size).toBe(all.length);
        for (const one of all) expect(capabilities.get(one)).toBeDefined();
      }),
      { numRuns: 50 },
    );
  });
});

describe('the store', () => {
  test('the store receives every change in the background and loads everything back', async () => {
    const { capabilities: store } = memoryStores();
    const first = createCapabilities();
    await first.attach(store);
    proven(first, COPY, 'copy');
    proven(first, COPY_LOUDLY, 'copy loudly');
    proven(first, READ, 'read');
    first.used('copy', use(true));
    await first.settled();
    first.rename('read', 'look');
    first.used('look', use(false));
    first.merge('copyLoudly', 'copy');
    first.pin('look', true);
    prove(first, COPY, 'again');
    await first.settled();

    const second = createCapabilities();
    await second.attach(store);

    const byName = (all: ReturnType<typeof first.list>) =>
      all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    expect(byName(second.list())).toEqual(byName(first.list()));
    expect(second.get('read')?.name).toBe('look');
  });

  test('the store also receives capabilities that were learned before it opened', async () => {
    const { capabilities: store } = memoryStores();
    const before = createCapabilities();
    await before.attach(store);
    proven(before, COPY, 'copy');
    proven(before, READ, 'shared name');
    await before.settled();

    const late = createCapabilities();
    proven(late, COPY, 'copy it');
    proven(late, `return mcp.git.log({})`, 'shared name');
    await late.attach(store);
    await late.settled();

    expect(late.get('copy')).toMatchObject({
      intents: ['copy it', 'copy'],
      current: { statistics: { uses: 2 } },
    });
    expect(names(late.list())).toEqual(['copy', 'sharedName', 'sharedName2']);
    expect(names([...store.rows.values()])).toEqual(names(late.list()));
    expect(store.rows.get('copy')?.current.statistics.uses).toBe(2);
  });

  test('capabilities notify listeners of changes until they unsubscribe', () => {
    const capabilities = createCapabilities();
    const heard: CapabilitiesChange[] = [];
    const stop = capabilities.onChange((change) => heard.push(change));

    proven(capabilities, COPY, 'copy');
    capabilities.used('copy', use(true));
    capabilities.remove('copy');
    stop();
    proven(capabilities, READ, 'read');

    expect(heard.map(({ changed, removed }) => [names(changed), removed])).toEqual([
      [['copy'], []],
      [['copy'], []],
      [[], ['copy']],
    ]);
  });
});
