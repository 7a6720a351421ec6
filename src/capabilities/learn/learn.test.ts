import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  aDefinition,
  createCapabilities,
  prove,
  proven,
  someTools,
  START,
} from '../../../test/helpers/prove.js';
import { parseToolId, runId } from '../../core/index.js';

const COPY = `const text = await mcp.files.read({ path: 'a.txt' });
return await mcp.files.write({ path: 'b.txt', text });`;

const tool = (name: string) => parseToolId(name).id;

describe('learning', () => {
  test('learning keeps code that worked, with its literals as parameters and the tools that proved it', () => {
    const capabilities = createCapabilities();

    const learned = prove(capabilities, COPY, 'Copy a file');

    expect(learned).toMatchObject({ kind: 'new', version: 1 });
    const capability = capabilities.get('copyFile');
    expect(capability).toMatchObject({
      description: 'Copy a file',
      intents: ['Copy a file'],
      state: { status: 'active' },
      current: {
        code: expect.stringContaining('args.path'),
        parameters: { properties: { path: { type: 'string', default: 'a.txt' } } },
        toolsUsed: ['files:read', 'files:write'],
        sequence: ['files:read#0', 'files:write#0'],
        statistics: { uses: 1, successes: 1, totalMs: 10, lastUsed: START },
        provenance: { origin: 'learned', run: 'run-1', at: START },
        structure: { nodes: expect.any(Array) },
      },
    });
    expect(capability?.current.lock[tool('files:read')]).toEqual(aDefinition(['path', 'head']));
  });

  test('learning counts the same procedure with other literals, layout and names as a use', () => {
    const capabilities = createCapabilities();
    proven(capabilities, COPY, 'Copy a file');

    const again = prove(
      capabilities,
      `const content = await mcp.files.read({ path: "x" }); // as before
       return await mcp.files.write({ path: 'y', text: content });`,
      'Duplicate x',
    );

    expect(again).toMatchObject({ kind: 'known', version: 1 });
    expect(capabilities.list()).toHaveLength(1);
    expect(capabilities.get('copyFile')).toMatchObject({
      intents: ['Duplicate x', 'Copy a file'],
      current: { statistics: { uses: 2, successes: 2, totalMs: 20 } },
    });
  });

  test('learning the same code twice gives one capability', () => {
    const step = fc.constantFrom(
      `await mcp.files.read({ path: 'a' });`,
      `if (args.x) await mcp.files.write({ path: 'b', text: 'c' });`,
      `for (const repo of ['r', 's']) await mcp.git.log({ repo });`,
    );

    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), fc.string(), (steps, intent) => {
        const capabilities = createCapabilities();
        const code = steps.join('\n');

        const kinds = [1, 2].map(() => prove(capabilities, code, intent).kind);

        expect(kinds).toEqual(['new', 'known']);
        expect(capabilities.list()).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [
      'a call failed',
      COPY,
      { calls: [{ tool: tool('files:read'), ok: false }] },
      'files:read failed',
    ],
    ['nothing was called', 'return 1', { calls: [] }, 'it called no tool'],
    ['the tool is computed', 'return mcp[args.s].read({})', {}, 'is worked out while it runs'],
    ['it names an unknown tool', 'return mcp.files.gone({})', {}, 'no tool files:gone'],
    ['it calls an unknown capability', 'await mcp.git.log({}); cap.x({})', {}, 'no capability x'],
    ['it is too long', `return mcp.git.log({}) // ${'x'.repeat(60_000)}`, {}, 'longer than 50000'],
    ['it cannot be read', 'return mcp.(', {}, 'Line 1'],
  ])('learning refuses code when %s', (_, code, overrides, reason) => {
    const capabilities = createCapabilities();

    const learned = capabilities.learn({
      code,
      intent: 'try',
      run: runId('run-1'),
      calls: [{ tool: tool('git:log'), ok: true }],
      definitionOf: someTools(),
      ms: 1,
      ...overrides,
    });

    expect(learned).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
    expect(capabilities.list()).toEqual([]);
  });

  test('learning refuses code that only calls a capability, but not code that does more', () => {
    const capabilities = createCapabilities();
    proven(capabilities, COPY, 'Copy a file');

    const wrapper = prove(capabilities, `return await cap.copyFile({ path: 'q' })`, 'Copy a file');
    const more = proven(
      capabilities,
      `await cap.copyFile({}); return mcp.git.log({ repo: 'r' })`,
      'Copy and log',
    );

    expect(wrapper).toEqual({ kind: 'refused', reason: 'it only calls cap.copyFile' });
    expect(more.current.contains).toEqual(['copyFile']);
    expect(capabilities.dependantsOf('copyFile')).toEqual([more]);
  });

  test('learning keeps no password that stands in the intent or in the code', () => {
    const capabilities = createCapabilities();

    const { name } = proven(
      capabilities,
      `// token=Tr0ub4dor
      const note = 'api_key: Tr0ub4dor';
      return await mcp.files.write({ path: 'a', text: note })`,
      'sign in with password=Tr0ub4dor and look',
    );

    expect(name).toBe('signInWithPasswordLook');
    expect(JSON.stringify(capabilities.list())).not.toContain('Tr0ub4dor');
  });

  test('learning makes a secret a required parameter and masks it in the intent', () => {
    const mask = (text: string) => text.replaceAll('hunter22', '***');
    const capabilities = createCapabilities({ mask });

    const { current, description } = proven(
      capabilities,
      `return mcp.files.write({ path: 'a', text: 'hunter22' }) // hunter22`,
      'Write hunter22 down',
    );

    expect(description).toBe('Write *** down');
    expect(JSON.stringify(capabilities.list())).not.toContain('hunter22');
    expect(current.parameters['required']).toHaveLength(1);
  });

  test('learning derives unique names from the intent, or from the tools without an intent', () => {
    const capabilities = createCapabilities();
    proven(capabilities, COPY, 'Copy a file');

    const other = proven(capabilities, `return mcp.git.log({ repo: 'r' })`, 'Copy file!');
    const silent = proven(capabilities, `await mcp.git.log({}); return mcp.files.read({})`, '');

    expect(other.name).toBe('copyFile2');
    expect(silent).toMatchObject({ description: 'Calls files:read, git:log', intents: [] });
    expect(silent.name).toMatch(/^[a-z]\w+$/);
  });

  test('learning does not reuse the name of a removed capability that others still call', () => {
    const capabilities = createCapabilities();
    proven(capabilities, COPY, 'Copy a file');
    proven(capabilities, `await cap.copyFile({}); return mcp.git.log({})`, 'Copy and log');
    capabilities.remove('copyFile', { isForced: true });

    expect(proven(capabilities, COPY, 'Copy a file').name).toBe('copyFile2');
  });

  test('learning keeps the first five hundred calls of a run', () => {
    const capabilities = createCapabilities();
    const calls = Array.from({ length: 600 }, () => ({ tool: tool('git:log'), ok: true }));

    capabilities.learn({
      code: `for (const repo of args.repos) await mcp.git.log({ repo })`,
      intent: 'log all',
      run: runId('r'),
      calls,
      definitionOf: someTools(),
      ms: 1,
    });

    const [learned] = capabilities.list();
    expect(learned?.current.sequence).toHaveLength(500);
    expect(learned?.current.sequence.at(-1)).toBe('git:log#499');
  });
});

describe('another way to do the same', () => {
  const FIRST = `return mcp.files.read({ path: 'a' })`;
  const SECOND = `const text = await mcp.files.read({ path: 'a' }); return text.trim()`;

  test('another way to do the same replaces code with little proof, and the user can undo that', () => {
    const capabilities = createCapabilities();
    const first = proven(capabilities, FIRST, 'Read a file');

    const second = prove(capabilities, SECOND, 'read a file.');

    expect(second).toMatchObject({ kind: 'version', version: 2 });
    expect(capabilities.list()).toHaveLength(1);
    expect(capabilities.get('readFile')).toMatchObject({ current: { version: 2 } });
    expect(capabilities.history('readFile').map(({ version }) => version)).toEqual([2, 1]);

    const restored = capabilities.restore('readFile', 1);
    expect(restored.current).toEqual(first.current);
    expect(restored.others.map(({ version }) => version)).toEqual([2]);
    expect(prove(capabilities, SECOND, '')).toMatchObject({ kind: 'known', version: 2 });
  });

  test.each(['proven', 'pinned', 'called', 'disabled'])('learning leaves %s code in use', (how) => {
    const capabilities = createCapabilities();
    const { name } = proven(capabilities, FIRST, 'Read a file');
    if (how === 'proven') for (const _ of [1, 2]) prove(capabilities, FIRST, '');
    if (how === 'pinned') capabilities.pin(name, true);
    if (how === 'called') proven(capabilities, `await cap.readFile(); mcp.git.log({})`, 'both');
    if (how === 'disabled') capabilities.disable(name);

    const second = prove(capabilities, SECOND, 'Read a file');

    expect(second).toMatchObject({ kind: 'version', version: 2 });
    expect(capabilities.get(name)).toMatchObject({
      current: { version: 1 },
      others: [{ version: 2 }],
      state: { status: how === 'disabled' ? 'disabled' : 'active' },
    });
  });

  test('another way to do the same repairs a broken capability, even with other tools', () => {
    const capabilities = createCapabilities();
    proven(capabilities, FIRST, 'Read a file');
    capabilities.checkLocks(someTools({ 'files:read': undefined }));
    expect(capabilities.get('readFile')?.state.status).toBe('quarantined');

    proven(capabilities, `return mcp.git.log({ repo: 'a' })`, 'Read a file');

    expect(capabilities.get('readFile')).toMatchObject({
      state: { status: 'active' },
      current: { version: 2, toolsUsed: ['git:log'] },
    });
  });

  test('another way to do the same is refused if the capability would call itself', () => {
    const capabilities = createCapabilities();
    proven(capabilities, FIRST, 'Read a file');
    capabilities.checkLocks(someTools({ 'files:read': undefined }));

    const learned = prove(
      capabilities,
      `await mcp.git.log({}); await cap.readFile()`,
      'Read a file',
    );

    expect(learned).toEqual({
      kind: 'refused',
      reason: 'as readFile it would come to call itself',
    });
  });

  test('a capability keeps at most ten versions', () => {
    const capabilities = createCapabilities();
    for (let count = 0; count < 14; count++) {
      prove(capabilities, `${FIRST}${' + 1'.repeat(count)}`, 'Read a file');
    }

    const versions = capabilities.history('readFile').map(({ version }) => version);
    expect(versions).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5]);
  });
});
