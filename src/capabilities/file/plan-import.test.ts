import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { identityOfText } from '../../../test/helpers/of-text.js';
import { createCapabilities, proven, someTools, START } from '../../../test/helpers/prove.js';
import type { Capability, JsonObject, JsonValue } from '../../core/index.js';
import type { FileEntry } from './capability-file.js';

const COPY = `const text = await mcp.files.read({ path: 'a' });
return await mcp.files.write({ path: 'b', text });`;

/** `copy`, and `copyLog` that calls it. */
function someCapabilities() {
  const capabilities = createCapabilities();
  proven(capabilities, COPY, 'copy');
  proven(capabilities, `await cap.copy({ path: 'q' }); return mcp.git.log({})`, 'copy and log');
  return capabilities;
}

const entriesOf = (file: JsonObject) => file['capabilities'] as unknown as readonly FileEntry[];

function changed(file: JsonObject, change: (entry: FileEntry) => FileEntry): JsonValue {
  return { ...file, capabilities: entriesOf(file).map(change) as unknown as JsonValue };
}

/** The parts of a capability that a file holds. */
function portable({ name, description, intents, current }: Capability) {
  const { statistics: _statistics, provenance: _provenance, version: _version, ...rest } = current;
  return { name, description, intents, ...rest };
}

describe('files of capabilities', () => {
  test('a capability file holds everything but the history and survives serialization', () => {
    const here = someCapabilities();
    const there = createCapabilities();

    const file = JSON.parse(JSON.stringify(here.export())) as JsonValue;
    const outcomes = there.import(file);

    expect(outcomes).toEqual([
      { kind: 'imported', from: 'copy', name: 'copy' },
      { kind: 'imported', from: 'copyLog', name: 'copyLog' },
    ]);
    expect(there.list().map(portable)).toEqual(here.list().map(portable));
    expect(there.get('copy')?.current).toMatchObject({
      statistics: { uses: 0 },
      provenance: { origin: 'imported', at: START },
    });
    expect(there.shown()).toHaveLength(2);
    expect(there.checkLocks(someTools())).toEqual([]);
    expect(there.import(file).map(({ kind }) => kind)).toEqual(['known', 'known']);
  });

  test('importing an exported file restores its capabilities, whatever was learned', () => {
    const step = fc.constantFrom(
      `await mcp.files.read({ path: 'ä"\\n' });`,
      `if (args.x) await mcp.files.write({ path: 'b', text: 'c' });`,
      `for (const repo of ['r', 's']) await mcp.git.log({ repo });`,
    );
    const code = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('\n'));

    fc.assert(
      fc.property(fc.array(fc.tuple(code, fc.string()), { maxLength: 4 }), (proofs) => {
        const [here, there] = [createCapabilities(), createCapabilities()];
        for (const [text, intent] of proofs) proven(here, text, intent);

        there.import(JSON.parse(JSON.stringify(here.export())) as JsonValue);

        expect(there.list().map(portable)).toEqual(here.list().map(portable));
        expect(there.export()).toEqual(here.export());
      }),
      { numRuns: 30 },
    );
  });

  test('the file of one capability holds all it calls, and import takes those first', () => {
    const file = someCapabilities().export('copyLog');
    const reversed = { ...file, capabilities: entriesOf(file).toReversed() as never };
    const there = createCapabilities();

    expect(entriesOf(file).map(({ name }) => name)).toEqual(['copy', 'copyLog']);
    expect(there.import(reversed)).toEqual([
      { kind: 'imported', from: 'copyLog', name: 'copyLog' },
      { kind: 'imported', from: 'copy', name: 'copy' },
    ]);
  });

  test('imported capabilities find each other by their former names', () => {
    const here = someCapabilities();
    here.rename('copy', 'duplicate');
    const there = createCapabilities();

    const outcomes = there.import(JSON.parse(JSON.stringify(here.export('copyLog'))) as JsonValue);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['imported', 'imported']);
    expect(there.get('copy')?.name).toBe('duplicate');
    expect(there.get('copyLog')?.current.code).toBe(here.get('copyLog')?.current.code);
    expect(there.import(here.export()).map(({ kind }) => kind)).toEqual(['known', 'known']);
  });

  test('imported capabilities drop former names that are in use here and still call each other', () => {
    const here = someCapabilities();
    here.rename('copy', 'duplicate');
    const there = createCapabilities();
    proven(there, `return mcp.git.log({ repo: 'x' })`, 'copy');

    const outcomes = there.import(here.export('copyLog'));

    expect(outcomes.map(({ kind }) => kind)).toEqual(['imported', 'imported']);
    expect(there.get('copy')?.current.toolsUsed).toEqual(['git:log']);
    expect(there.get('copyLog')?.current.contains).toEqual(['duplicate']);
  });

  test('imported capabilities whose names are in use get other names and still call each other', () => {
    const there = createCapabilities();
    proven(there, `return mcp.git.log({ repo: 'x' })`, 'copy');

    const outcomes = there.import(someCapabilities().export());

    expect(outcomes).toMatchObject([{ name: 'copy2' }, { name: 'copyLog' }]);
    const imported = there.get('copyLog')?.current;
    expect(imported?.contains).toEqual(['copy2']);
    expect(imported?.code).toContain('cap.copy2(');
    expect(imported?.identity).toBe(identityOfText(imported?.code ?? ''));
  });

  test('imported capabilities call already known capabilities by their local names', () => {
    const there = createCapabilities();
    proven(there, COPY, 'duplicate');

    const outcomes = there.import(someCapabilities().export());

    expect(outcomes).toMatchObject([{ kind: 'known', name: 'duplicate' }, { kind: 'imported' }]);
    expect(there.get('copyLog')?.current.contains).toEqual(['duplicate']);
    expect(there.get('duplicate')?.intents).toEqual(['duplicate', 'copy']);
  });

  test.each<[string, Partial<FileEntry>, string]>([
    ['changed code', { code: 'return mcp.git.log({})' }, 'not the code it was exported with'],
    ['a name that cannot be called', { name: '__proto__' }, 'its name cannot be called'],
    ['code that cannot be read', { code: 'return (' }, 'its code cannot be read'],
    ['a tool without its definition', { lock: {} }, 'does not say what files:read'],
    [
      'computed tools',
      { code: 'mcp[args.a].b({})', identity: identityOfText('mcp[args.a].b({})') },
      'worked out while it runs',
    ],
    [
      'a secret',
      {
        code: `mcp.git.log({ repo: 'hunter22' })`,
        identity: identityOfText(`mcp.git.log({ repo: 'hunter22' })`),
      },
      'holds a secret',
    ],
  ])('import refuses an entry with %s and the entries that call it', (_, part, reason) => {
    const there = createCapabilities({ mask: (text) => text.replaceAll('hunter22', '***') });
    const file = changed(someCapabilities().export(), (entry) =>
      entry.name === 'copy' ? { ...entry, ...part } : entry,
    );

    const [one, other] = there.import(file);

    expect(one).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
    expect(other).toMatchObject({ kind: 'refused', reason: expect.stringContaining('cap.copy') });
    expect(there.list()).toEqual([]);
  });

  test('import refuses two capabilities that call each other', () => {
    const code = { a: 'mcp.git.log({}); cap.b()', b: 'mcp.git.log({}); cap.a()' };
    const [sample] = entriesOf(someCapabilities().export());
    const lock = { 'git:log': { hash: 'h', inputSchema: {} } };
    const capabilities = (['a', 'b'] as const).map((name) => ({
      ...sample!,
      name,
      code: code[name],
      identity: identityOfText(code[name]),
      contains: [name === 'a' ? 'b' : 'a'],
      lock,
    }));
    const there = createCapabilities();

    const outcomes = there.import({
      format: 'pml-capabilities',
      version: 1,
      capabilities: capabilities as unknown as JsonValue,
    });

    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'refused']);
  });

  test('import removes parameter defaults that are secrets on this machine', () => {
    const there = createCapabilities({ mask: (text) => text.replaceAll('hunter22', '***') });
    const parameters = {
      type: 'object',
      properties: { path: { type: 'string', default: 'hunter22' }, b: { default: 1 } },
    };

    there.import(changed(someCapabilities().export('copy'), (entry) => ({ ...entry, parameters })));

    expect(there.get('copy')?.current.parameters).toEqual({
      type: 'object',
      properties: { path: { type: 'string' }, b: { default: 1 } },
      required: ['path'],
    });
  });

  test.each<[string, JsonValue]>([
    ['nothing', null],
    ['another format', { format: 'other', version: 1, capabilities: [] }],
    ['a later version', { format: 'pml-capabilities', version: 2, capabilities: [] }],
    ['half an entry', { format: 'pml-capabilities', version: 1, capabilities: [{ name: 'a' }] }],
    ['deep nesting', JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as JsonValue],
  ])('import refuses %s as a file of capabilities', (_, file) => {
    expect(() => createCapabilities().import(file)).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('no file of capabilities'),
      }),
    );
  });
});
