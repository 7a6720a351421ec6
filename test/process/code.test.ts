/** Scripts over real servers: what they can do, and the errors an agent gets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  refusalOf,
  runCode,
  type ScriptAnswer,
  scriptOf,
  scriptServers,
} from '../helpers/code-client.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

const SECRET = 'sk-live-4242424242';

let workspace: Workspace;
let client: PmlClient;
let folder: string;
let ledger: string;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  folder = join(workspace.path, 'files');
  ledger = join(workspace.path, 'ledger');
  mkdirSync(folder);
  writeFileSync(ledger, '');
  const servers = scriptServers({ root: workspace.path, ledger: 'ledger' });
  const { one } = servers;
  workspace.configure({
    embedding: 'none',
    logLevel: 'debug',
    permissions: { deny: ['talk:cancelled'] },
    mcpServers: { ...servers, one: { ...one, env: { ...one.env, API_TOKEN: SECRET } } },
  });
  client = await workspace.connect();
  await client.call('pml_discover', { intent: 'echo' });
});

afterAll(() => workspace[Symbol.asyncDispose]());

const run = (code: string, rest: Record<string, unknown> = {}) => runCode(client, code, rest);
const refused = (code: string) => refusalOf(client, code);
const written = () => readFileSync(ledger, 'utf8').split('\n').filter(Boolean);
const resultOf = async (code: string, rest: Record<string, unknown> = {}) => {
  const told = await run(code, rest);
  expect(told.error).toBeUndefined();
  return told.result;
};

describe('a script', () => {
  test('script joins results of several servers in one call [CODE-JOINS]', async () => {
    writeFileSync(join(folder, 'prices.json'), JSON.stringify({ 'row 1': 5, 'row 2': 7 }));

    const told = await run(
      `const [{ rows }, file] = await Promise.all([
        mcp.talk.rows({ count: 4 }),
        mcp.files.read_text_file({ path: args.path }),
      ]);
      const prices: Record<string, number> = JSON.parse(file.content ?? file);
      const known = rows.filter((row) => row.name in prices);
      await mcp.one.append({ key: 'joined-' + known.length });
      return known.map(({ id, name }) => ({ id, price: prices[name] }));`,
      { args: { path: join(folder, 'prices.json') }, intent: 'price the rows' },
    );

    expect(told).toMatchObject({
      status: 'completed',
      calls: 3,
      result: [
        { id: 1, price: 5 },
        { id: 2, price: 7 },
      ],
    });
    expect(written()).toContain('joined-2');
  });

  test('script may be TypeScript with types, generics, interfaces, enums and satisfies', async () => {
    const code = `
      interface Row { readonly id: number; name: string }
      type Named<T extends { name: string }> = T['name'];
      enum Kind { Small = 1, Large }
      const pick = <T extends Row,>(rows: readonly T[]): Named<T>[] => rows.map((row) => row.name!);
      const { rows } = (await mcp.talk.rows({ count: 2 })) as { rows: Row[] };
      const kinds = { a: Kind.Large } satisfies Record<string, Kind>;
      return { names: pick(rows), kind: kinds.a, label: Kind[1] };`;

    expect(await resultOf(code)).toEqual({ names: ['row 0', 'row 1'], kind: 2, label: 'Small' });
  });

  test.each([
    ['a final expression', '1 + 1', 2],
    ['a final object', 'const a = [1, 2];\n({ a, sum: a[0] + a[1] })', { a: [1, 2], sum: 3 }],
    ['a final await', 'await mcp.talk.echo({ text: "x" })', 'x'],
    ['an early return', 'if (args.stop) return "early"; "late"', 'early'],
    ['nothing', 'const unused = 1;', null],
  ])('script returns the value of %s', async (_what, code, value) => {
    expect(await resultOf(code, { args: { stop: true } })).toEqual(value);
  });

  test('script loops, awaits in loops, iterates asynchronously and calls in parallel', async () => {
    const code = `
      async function* pages() {
        for (let count = 1; count <= 3; count++) yield (await mcp.talk.rows({ count })).rows;
      }
      let seen = 0;
      for await (const rows of pages()) seen += rows.length;
      const said: string[] = [];
      for (const text of ['a', 'b']) said.push(await mcp.talk.echo({ text }));
      const many = await Promise.all(Array.from({ length: 30 }, (_, i) => mcp.talk.echo({ text: String(i) })));
      const settled = await Promise.allSettled([mcp.talk.fail({}), mcp.talk.echo({ text: 'ok' })]);
      return { seen, said, many: many.join(''), settled: settled.map(({ status }) => status) };`;

    expect(await resultOf(code)).toEqual({
      seen: 6,
      said: ['a', 'b'],
      many: Array.from({ length: 30 }, (_, i) => String(i)).join(''),
      settled: ['rejected', 'fulfilled'],
    });
  });

  test('PML awaits promises in the result of a script and learns its code [CODE-PROMISES]', async () => {
    const code = `return [1, 2].map((count) => mcp.talk.rows({ count }))`;

    const told = await run(code, { intent: 'rows side by side' });

    expect(told).toMatchObject({
      status: 'completed',
      result: [{ rows: [{}] }, { rows: [{}, {}] }],
    });
    const lengths = (told.result as { rows: object[] }[]).map(({ rows }) => Object.keys(rows[0]!));
    expect(lengths[0]!.length).toBeGreaterThan(0);
  });

  test('script that uses a promise as data gets an error that names the line and await [CODE-PROMISES]', async () => {
    const told = await run(`const kept = mcp.talk.rows({ count: 2 });\nreturn kept.rows.length`);

    expect(told.status).toBe('failed');
    expect(told.error?.message).toContain('write `await` before the call');
    expect(told.error?.message).toContain('kept.rows.length');
  });

  test('script catches a failing tool as an error with name, code and message', async () => {
    const code = `
      try { await mcp.talk.fail({}) } catch (error) {
        return [error instanceof Error, error.name, error.code, error.message];
      }`;

    expect(await resultOf(code)).toEqual([true, 'ToolError', 'TOOL_FAILED', 'disk full']);
  });

  test('script that does not catch a failing tool fails with the source line of the call', async () => {
    const told = await run('const a = 1;\n\nconst b = await mcp.talk.fail({});\nreturn b;');

    expect(told).toMatchObject({ status: 'failed', error: { code: 'CODE_FAILED' } });
    expect(told.error?.message).toContain('disk full');
    expect(told.error?.message).toMatch(/at line 3, column \d+: const b = await mcp\.talk\.fail/);
  });

  test('script that throws fails with line, column and source line, with or without types', async () => {
    const code = 'interface A { b: { c: string } }\nconst a: A = {} as A;\n\n  return a.b.c;';

    const { error } = await run(code);

    expect(error?.code).toBe('CODE_FAILED');
    expect(error?.message).toMatch(/^TypeError: .*\n {2}at line 4, column \d+: return a\.b\.c;$/);
  });

  test('answer of a script has its printed lines, in order and with levels', async () => {
    const { logs, result } = await run(
      `console.log('found', 2, { a: [1] });\nconsole.warn('careful');\nreturn 'done'`,
    );

    expect(result).toBe('done');
    expect(logs?.split('\n')[0]).toMatch(/^found 2 \{\s*"?a"?: \[\s*1\s*\]\s*\}$/);
    expect(logs?.split('\n')[1]).toBe('[warn] careful');
  });

  test('script gets structured content as values, and images as blocks', async () => {
    const code = `
      const picture = await mcp.talk.picture({});
      const { rows } = await mcp.talk.rows({ count: 1 });
      const blocks = Array.isArray(picture) ? picture : picture.content;
      return { rows, types: blocks.map((block) => block.type), mime: blocks[0].mimeType };`;

    expect(await resultOf(code)).toEqual({
      rows: [{ id: 0, name: 'row 0' }],
      types: ['image', 'resource_link'],
      mime: 'image/png',
    });
  });

  test('script has no access to Node, the network or the daemon', async () => {
    const names = ['process', 'require', 'fetch', 'Deno', 'WebSocket', 'XMLHttpRequest', 'Buffer'];

    const code = `return ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== 'undefined')`;

    expect(await resultOf(code)).toEqual([]);
  });
});

describe('code that is wrong is refused before any of it runs', () => {
  const before = `await mcp.one.append({ key: 'too-early' });\n`;

  test.each([
    ['a syntax error', 'const = 5;', /^\[CODE_INVALID\] Line 2, column 7/],
    ['an import', `import fs from 'fs'; fs`, /^\[CODE_INVALID\] Line 2.*import/],
    ['an unknown tool', `await mcp.one.apend({ key: 'x' })`, /^\[TOOL_UNKNOWN\].*Near: one:append/],
    ['an unknown server', `await mcp.two.append({})`, /^\[SERVER_UNKNOWN\].*two/],
    ['a denied tool', `await mcp.talk.cancelled({})`, /^\[TOOL_(DENIED|UNKNOWN|BLOCKED)\]/],
  ])('code with %s is refused before any of it runs', async (_what, code, words) => {
    expect(await refused(`${before}${code}`)).toMatch(words);
    expect(written()).not.toContain('too-early');
  });

  test('error names unknown arguments of the meta-tool', async () => {
    const answer = await client.call('pml_execute_code', { code: '1', lang: 'python' });

    expect(textOf(answer)).toMatch(/^\[BAD_REQUEST\].*lang/);
  });
});

describe('inside a script', () => {
  const caught = (call: string) =>
    resultOf(`try { await ${call}; return 'no error' } catch (e) { return [e.code, e.message] }`);

  test('invalid arguments throw in the script with their path, and nothing is called', async () => {
    const [code, message] = (await caught(`mcp.one.append({ key: 7 })`)) as string[];

    expect(code).toBe('ARGUMENTS_INVALID');
    expect(message).toMatch(/one:append.*args\.key/);
    expect(written()).not.toContain('7');
  });

  test('computed tool name is resolved at run time, with near names or a refusal', async () => {
    const unknown = await caught(`mcp.one['ap' + 'pendd']({ key: 'x' })`);
    const denied = await caught(`mcp.talk['cancel' + 'led']({})`);
    const own = await caught(`mcp['pm' + 'l'].read_result({ handle: 'r' })`);

    expect(unknown).toMatchObject(['TOOL_UNKNOWN', expect.stringContaining('one:append')]);
    expect(denied).toMatchObject([
      expect.stringMatching(/^TOOL_(DENIED|UNKNOWN)$/),
      expect.any(String),
    ]);
    expect(own).toMatchObject(['TOOL_UNKNOWN', expect.any(String)]);
  });
});

describe('long results', () => {
  test('long result becomes a preview with a handle, and the next script loads the whole [CODE-LONG]', async () => {
    const first = await run(`return (await mcp.talk.rows({ count: 5000 })).rows`);
    const { result: handle, preview } = first.result as { result: string; preview: string };

    const second = await run(
      `const rows = await load(args.handle);
      return [rows.length, rows.at(-1).name, rows.filter((row) => row.id % 1000 === 0).length]`,
      { args: { handle } },
    );

    expect(preview.length).toBeLessThan(2_000);
    expect(second.result).toEqual([5_000, 'row 4999', 5]);
  });

  test('script loads long texts and workflow results, and can catch the error of a lost handle', async () => {
    const kept = await client.call('pml_execute_workflow', {
      tasks: [{ tool: 'talk:lines', args: { count: 4_000 } }],
    });
    const [, handle = ''] = /kept as (r_[\w-]+)/.exec(textOf(kept)) ?? [];

    const code = `
      const text = await load(args.handle);
      try { await load('r_nobody') } catch (e) { return [text.split('\\n').length, e.code] }`;

    expect(await resultOf(code, { args: { handle } })).toEqual([4_000, 'RESULT_NOT_FOUND']);
  });

  test('long result stays in the script when the script returns less', async () => {
    const told = await run(`return (await mcp.talk.lines({ count: 20000 })).length`);

    expect(told.result).toBeGreaterThan(200_000);
    expect(JSON.stringify(told).length).toBeLessThan(200);
  });
});

describe('a dry run', () => {
  test('dry run names reachable tools and needed approvals, and calls nothing', async () => {
    const code = `
      const keys = ['dry-a', 'dry-b'];
      for (const key of keys) await mcp.one.append({ key });
      if (args.wipe) await mcp.one.delete_all({ key: 'dry-all' });`;

    const { result } = await client.call('pml_execute_code', { code, mode: 'dry_run' });

    expect(result?.['structuredContent']).toMatchObject({
      status: 'suggested',
      tools: [
        { tool: 'one:append', risk: 'write' },
        { tool: 'one:delete_all', risk: 'risky', asks: expect.stringContaining('delete') },
      ],
    });
    expect(written().filter((key) => key.startsWith('dry'))).toEqual([]);
  });

  test('dry run says that the code computes tool names at run time', async () => {
    const { result } = await client.call('pml_execute_code', {
      code: `await mcp.one[args.tool]({})`,
      mode: 'dry_run',
    });

    expect(JSON.stringify(result?.['structuredContent'])).toContain('worked out while it runs');
  });
});

describe('pml_read [CODE-READS]', () => {
  const read = (args: Record<string, unknown>) => client.call('pml_read', args);

  test('pml_read runs code and tasks over tools that read', async () => {
    const code = scriptOf(
      await read({ code: `return (await mcp.talk.echo({ text: 'hi' })).length` }),
    );
    const tasks = await read({ tasks: [{ tool: 'talk:echo', args: { text: 'hello' } }] });

    expect(code).toMatchObject({ status: 'completed', result: 2 });
    expect(textOf(tasks)).toBe('hello');
  });

  test('pml_read reaches no tool that writes, however the tool is named', async () => {
    const plain = await read({ code: `await mcp.one.append({ key: 'read-a' })` });
    const tasks = await read({ tasks: [{ tool: 'one:append', args: { key: 'read-b' } }] });
    const hidden = scriptOf(
      await read({
        code: `try { await mcp.one['app' + 'end']({ key: 'read-c' }) } catch (e) { return e.code }`,
      }),
    );

    expect(textOf(plain)).toMatch(/^\[TOOL_DENIED\] one:append may change something/);
    expect(textOf(tasks)).toMatch(/^\[TOOL_DENIED\].*one:append/);
    expect(hidden.result).toBe('TOOL_DENIED');
    expect(written().filter((key) => key.startsWith('read'))).toEqual([]);
  });

  test('pml_read takes either code or tasks, never both or none', async () => {
    const both = await read({ code: '1', tasks: [] });
    const neither = await read({});

    expect([both, neither].map((one) => textOf(one).slice(0, 13))).toEqual([
      '[BAD_REQUEST]',
      '[BAD_REQUEST]',
    ]);
  });
});

test('daemon log has no code, no arguments and no secrets of servers', async () => {
  const marks = ['mark-in-code', 'mark-in-args', 'mark-printed', 'mark-thrown', 'mark-to-tool'];
  const told: ScriptAnswer = await run(
    `// mark-in-code
    console.log('mark-printed');
    await mcp.talk.echo({ text: 'mark-to-tool' });
    try { await mcp.one.append({ key: [args.word] }) } catch { }
    throw new Error('mark-thrown')`,
    { args: { word: 'mark-in-args' } },
  );

  expect(told.error?.message).toContain('mark-thrown');
  expect(workspace.log).not.toBe('');
  expect([...marks, SECRET].filter((mark) => workspace.log.includes(mark))).toEqual([]);
});
