import { parseSync } from 'oxc-parser';
import { transformSync } from 'oxc-transform';
import { describe, expect, test } from 'vitest';

import { preparedText } from '../../../test/helpers/of-text.js';
import { compileScript, operate, runScript } from '../../../test/helpers/run-script.js';
import { PmlError } from '../../core/index.js';

function failure(text: string): PmlError {
  try {
    preparedText(text);
  } catch (error) {
    if (error instanceof PmlError) return error;
    throw error;
  }
  throw new Error(`Expected an error of ${text}`);
}

async function outcome(body: string, log: unknown[]): Promise<unknown> {
  const note = (value: unknown) => {
    log.push(value);
    return value;
  };
  const later = async (value: unknown) => {
    await Promise.resolve();
    return note(value);
  };
  try {
    return await runScript(body, { mcp: { note, later }, args: { none: undefined } });
  } catch (error) {
    // Engines put the text of the call into this message, and preparing changes that text.
    const message = (error as Error).message.replace(/^.* is not a function$/, 'not a function');
    return `${(error as Error).name}: ${message}`;
  }
}

/** The syntax tree of a text without its positions. */
function shape(text: string): unknown {
  const { program, errors } = parseSync('script.js', text, { preserveParens: false });
  expect(errors).toEqual([]);
  return JSON.parse(
    JSON.stringify(program.body, (key, value: unknown) => {
      if (['start', 'end', 'raw'].includes(key)) return undefined;
      return Array.isArray(value) ? value.filter((one) => one?.type !== 'EmptyStatement') : value;
    }),
  );
}

describe('types', () => {
  const scripts = {
    annotations:
      'const a: number = 1; let b: string | undefined; function f(x?: number, ...r: any[]): void {}',
    generics:
      'function id<T extends object>(x: T): T { return x }\nconst m = new Map<string, number[]>(); id<{ a: 1 }>({ a: 1 });',
    assertions: 'const a = (b as any).c!.d satisfies unknown;\nconst e = <string>f;',
    'a line after an assertion': 'const a = x as any\n(b)\nconst c = y as string[]\n[1].toString()',
    'types between lines': 'const a = b\ntype T = { x: 1 }\n(c)\ninterface I { y: 2 }\n[d]',
    'a return type over lines':
      'const f = async (a: number): Promise<{\n  b: number;\n}> => ({ b: a });',
    'type parameters over lines': 'const f = async <\n  T,\n>(a: T) => a;',
    'an assertion over lines': 'function f() {\n  return <{\n    a: 1\n  }>b;\n}',
    classes:
      'abstract class A<T> extends B<T> implements C, D {\n  private readonly x: number = 1\n  public ["y"]?: string\n  override z!: T;\n  static readonly v = 1;\n  declare w: string;\n  abstract q(): void;\n  [key: string]: unknown;\n  m(): void;\n  m(x?: number): void {}\n}',
    'overloads and this':
      'function f(a: string): void;\nfunction f(this: Window, a: any) {}\nfunction g(this: X) {}',
    'declarations of what is elsewhere':
      'declare const x: number;\ndeclare function f(): void;\nlet y = x',
    'optional calls': 'const a = b?.c!.d<string>()!;\nfor (const x of y as any[]) z(x);',
    'a for loop': 'for (let i = 0 as number; i < 3; i++) f(i)',
    'arrow with generics': 'const f = <T,>(x: T): x is NonNullable<T> => x != null;',
    switch: 'switch (a as string) { case "b": type T = 1; f(); }',
    'enum-like': 'const A = { b: 1 } as const;',
  };

  for (const [name, text] of Object.entries(scripts)) {
    test(`TypeScript types (${name}) are blanked as a compiler would erase them`, () => {
      const { source } = preparedText(text);

      const compiled = transformSync('script.ts', text, {
        typescript: { onlyRemoveTypeImports: true },
      });
      const plain = source.replace(/return (?=[^;]*;?\s*$)/, '');
      expect(compiled.errors).toEqual([]);
      expect(source.split('\n').length).toBe(text.split('\n').length);
      expect(shape(plain)).toEqual(shape(compiled.code));
    });
  }

  test('an enum becomes an object that also maps numbers to names', async () => {
    const { source } = preparedText(
      'enum A { X, Y = 5, Z, Text = "t", Sum = X + Y, "a-b" = 9 }\nreturn { a: A.Z, b: A[6], c: A.Text, d: A.Sum, e: A["a-b"], f: A[0] };',
    );

    expect(await runScript(source)).toEqual({ a: 6, b: 'Z', c: 't', d: 5, e: 9, f: 'X' });
  });

  test('parameter properties of a constructor become members', async () => {
    const { source } = preparedText(
      'class A { constructor(public x: number, protected readonly y = 2) {} }\nclass B extends A { constructor(private z: number) { super(z + 1); } sum() { return this.x + this.y + this.z } }\nnew B(3).sum()',
    );

    expect(await runScript(source)).toBe(9);
  });
});

describe('results', () => {
  test.each([
    ['1 + 1', 2],
    ['const a = 2;\na * 3;', 6],
    ['return 4', 4],
    ['const a = await Promise.resolve(5)\na as number', 5],
    ['go();\nfunction go() { return 6 }', 6],
    ['Promise.resolve(7)', 7],
    ['"text"', 'text'],
    ['if (true) { 8 }', undefined],
    ['const a = [3, 1, 2]\n;[...a].sort()', [1, 2, 3]],
    ['const a = [1]\na?.map(String)', ['1']],
    ['// nothing', undefined],
    ['({ a: 1 })', { a: 1 }],
    ['type T = 1;\n9;\ninterface I {}\n;', 9],
  ])('script %j returns %j', async (text, value) => {
    expect(await runScript(preparedText(text).source)).toEqual(value);
  });
});

describe('operations', () => {
  test('the host sees each operation of a script with its site, in execution order', async () => {
    const { source, sites } = preparedText(
      'const rows = [3, 1, 2];\nconst big = rows.filter((x: number) => x > 1)\n  .map((x) => x * 2);\nnew Set<number>(big); Object.keys({ a: 1 });\nJSON.stringify(rows.toSorted())',
    );
    const seen: string[] = [];

    await runScript(source, {}, (site, receiver, name, ...args) => {
      const result = operate(site, receiver, name, ...args);
      seen.push(sites[site]!.operation);
      return result;
    });

    expect(seen).toEqual([
      'code:filter',
      'code:map',
      'code:Set',
      'code:Object.keys',
      'code:toSorted',
      'code:JSON.stringify',
    ]);
  });

  test('operation sites have the span of the call in the text of the agent', () => {
    const text = 'const a = [1];\nconst b = a\n  .filter(Boolean).map(String)';

    const { sites } = preparedText(text);

    expect(sites.map(({ span }) => text.slice(span.start, span.end))).toEqual([
      'a\n  .filter(Boolean).map(String)',
      'a\n  .filter(Boolean)',
    ]);
    expect(sites[0]!.span).toMatchObject({ line: 2, column: 11 });
  });

  test.each([
    'mcp.db.find({})',
    'const db = mcp.db; db.filter({})',
    'const { db } = mcp; db?.filter({})',
    'cap.map({})',
    'const tools = mcp; tools["my-db"].find({})',
    'class A extends Array { m() { return super.map(String) } }',
    'const Object = { keys() {} }; Object.keys()',
    'class Set { constructor(x) {} } new Set([])',
    'new Map()',
    'a["filter"](b)',
    'a.filter?.(b)',
    '(a.filter)(b)',
    'a.f?.(1).filter(b)',
  ])('a call that is no operation is not instrumented: %s', (text) => {
    const { source, sites } = preparedText(text);

    expect(sites).toEqual([]);
    expect(source).not.toContain('__op');
  });

  test.each([
    'const a = mcp.note(null); a.filter(mcp.note(1))',
    'const a = mcp.note(undefined); a.concat(await mcp.later(1))',
    'mcp.note([1]).concat(mcp.note([2]), ...mcp.note([3, 4]), await mcp.later(5))',
    'const a = mcp.note(null); a?.filter(mcp.note(1)).map(mcp.note(2)).length',
    'const a = mcp.note(null); a?.concat(mcp.note(1)).map(mcp.note(2)).length',
    'const a = mcp.note([1, 2]); a?.concat(mcp.note(1)).map((x) => x + 1).length',
    'const a = { b: null }; a?.b?.map(mcp.note(1))?.filter(mcp.note(2)).x.y.z',
    'const a = { b: [[1], [2]] }; a?.b?.map((x) => x)?.[0].slice(mcp.note(0))?.concat(9)',
    'const a = { b: [[1], [2]] }; a?.["b"].map((x) => x)?.flat().concat(await mcp.later(9))',
    'const a = { b: undefined }; a?.["b"].map(mcp.note(1))',
    'const a = { b: undefined }; a?.b.concat(mcp.note(1))',
    'const a = 5; a.filter(mcp.note(1))',
    'const a = {}; a.filter(mcp.note(1))',
    '"a,b".split(",").concat("abc".slice(1), "abc".includes("b"), "x".concat("y"))',
    'class F { n = 2; filter(x) { return this.n * x } map = (x) => this.n + x } const f = new F(); [f.filter(4), f.map(4), f?.filter(1)]',
    'class A extends Array { map(f) { return super.map((x) => f(x) + 1) } } A.from([1, 2]).map((x) => x * 10).join()',
    'const a = []\nmcp.note(1)\na?.forEach((x) => x)\n;[1].forEach((x) => mcp.note(x))\nmcp.note(2)',
    'const a = [1]\nif (a)\n  a?.forEach((x) => mcp.note(x))\nelse mcp.note(0)',
    'const f = (x) => x?.map((y) => y * 2); [f([1]), f(null)]',
    'const o = { list: [1], go() { return this.list?.map((x) => x + this.list.length) } }; o.go()',
    'function* g(a) { const x = a.concat(yield 1); return x } const i = g([1]); i.next(); i.next(2).value',
    'async function deep(a, n) { return n === 0 ? a : deep(a?.concat(await deep(a.slice(1), n - 1)), n - 1) } await deep([1, 2], 3)',
    'await Promise.all([1, 2].map(async (x) => [x]?.concat(await mcp.later(x), await mcp.later(-x))))',
    'const a = [1]; a?.map(String)!.length',
    'const a = { x: [1] }; delete a?.x.concat(1).length',
    'const a = { x: [() => 5] }; (a?.x.slice(0)[0])()',
    'const m = new Map([[1, 2]].concat([[3, 4]])); [...new Set([...m.keys(), 1])].join("-")',
    'const a = [1, 2]; `${a.map((x) => `${x}`).join("")}`',
    'const a = [3, 1]; typeof a?.sort()',
    '[1, 2, 3].reduce((s, x) => s + x)',
    '[].reduce((s, x) => s + x)',
    'Object.assign({}, mcp.note({ a: 1 }), await mcp.later({ b: 2 }))',
    'JSON.parse("{")',
    'const x = [[1, [2]]].flat(Infinity,); x',
    'const a = [1] /* one */ . /* two */ map /* three */ ( (x) => x /* four */ ) // five',
    'for (const x of [1, 2]?.filter((y) => y > 1)) mcp.note(x)',
    'var a = [1], b = a?.map((x) => x)\nvar c = b; c',
    'Array.from({ length: 3 }, (_, i) => i * 2)',
    'label: for (const x of [1, 2].map((y) => y)) { if (x === 2) break label; mcp.note(x) }',
    'const { a = [1].map((x) => x + 1) } = {}; a',
    'const f = (a = [1].concat(mcp.note(2))) => a; f()',
    'null?.filter(mcp.note(1))',
  ])('an instrumented script behaves as before: %s', async (text) => {
    const plainLog: unknown[] = [];
    const preparedLog: unknown[] = [];
    const plain = await outcome(compileScript(text), plainLog);

    const prepared = await outcome(preparedText(text).source, preparedLog);

    expect(prepared).toEqual(plain);
    expect(preparedLog).toEqual(plainLog);
  });
});

describe('places', () => {
  test('prepared code keeps its lines, and locate maps columns back to the original text', async () => {
    const text =
      'const a: number[] = [1];\na?.map((x) => x); boom(a);\nreturn a.filter((x: number) => x.y.z);';

    const { source, locate } = preparedText(text);

    const lines = source.split('\n');
    expect(lines.length).toBe(3);
    const at = lines[1]!.indexOf('boom');
    expect(locate(2, at + 1)).toEqual({
      line: 2,
      column: text.split('\n')[1]!.indexOf('boom') + 1,
    });
    const inner = lines[2]!.indexOf('x.y.z');
    expect(locate(3, inner + 1)).toEqual({
      line: 3,
      column: text.split('\n')[2]!.indexOf('x.y.z') + 1,
    });
    expect(locate(99, 1)).toEqual({ line: 3, column: text.split('\n')[2]!.length + 1 });
  });
});

describe('code that could break the parser', () => {
  const times = 100_000;

  test.each([
    ['brackets', '['.repeat(times) + ']'.repeat(times)],
    ['brackets that comments seem to close', '[/*]*/'.repeat(times)],
    ['functions', '(()=>{'.repeat(times)],
    ['arrows', 'x=>'.repeat(times)],
    ['signs', '!'.repeat(times)],
    ['types', `let a: ${'A<'.repeat(times)}`],
    ['words', 'await '.repeat(times)],
    ['templates', '`${'.repeat(times)],
    ['members', `a${'.b'.repeat(times)}`],
    ['classes', 'x=class{a='.repeat(times)],
  ])('the scan before parsing refuses code that could break the parser: %s', (_what, text) => {
    expect(failure(text).code).toBe('CODE_INVALID');
  });

  test.each([
    ['brackets', '['.repeat(1500) + ']'.repeat(1500)],
    ['sums', `1${'+1'.repeat(5000)}`],
    ['types', `let a: ${'A<'.repeat(1500)}B${'>'.repeat(1500)}`],
    ['chains', `a${'?.map(f)'.repeat(1000)}`],
  ])('code nested too deeply is refused before PML walks it: %s', (_what, text) => {
    expect(failure(text).message).toContain('nested too deeply');
  });

  test('long scripts with long texts are parsed', () => {
    const line =
      'const rows = (await mcp.db.query({ table: "a", where: { b: 1 } })).rows.map((r) => r.id);';
    const text = Array.from({ length: 300 }, (_, i) => line.replace('rows', `rows${i}`)).join('\n');

    expect(
      preparedText(`${text}\nconst t = ${JSON.stringify('Some words, and more. '.repeat(500))};`)
        .sites,
    ).toHaveLength(300);
  });
});

describe('errors', () => {
  test('a syntax error points at its line and column', () => {
    const error = failure('const a = 1;\nconst b = ;');

    expect(error.code).toBe('CODE_INVALID');
    expect(error.message).toBe('Line 2, column 11: Unexpected token\n  const b = ;\n            ^');
    expect(error.details).toMatchObject({ line: 2, column: 11, source: 'const b = ;' });
  });

  test.each([
    ["import fs from 'fs'", /cannot import.*mcp\.<server>/s],
    ["const fs = await import('fs')", /cannot import.*mcp\.<server>/s],
    ["function f() { import x from 'y' }", /mcp\.<server>/],
    ["const fs = require('fs')", /`require` is not there.*mcp\.<server>/s],
    ['export const a = 1', /cannot export.*return value/s],
    ['export default 1', /cannot export.*return value/s],
    ['return process.env.KEY', /`process` is not there.*`args`/s],
    ["await fetch('https://x')", /`fetch` is not there.*no network/s],
    ['{ a: 1, b: 2 }', /return \{ … \}/],
    ['namespace A { export const b = 1 }', /namespace/],
    ['const __op = 1', /reserved/],
    ['let a; let a;', /already been declared/],
    ['using a = b', /using/],
    ['class A { accessor b = 1 }', /accessor/],
    ['@a class B {}', /decorators/],
    ['const a = await', /Line 1, column/],
    ['return import.meta.url', /import\.meta/],
  ])('the error for `%s` says what to do instead', (text, message) => {
    expect(failure(text).message).toMatch(message);
  });

  test.each([
    'const process = { env: 1 }; process.env',
    'function fetch(x) { return x } fetch(1)',
    'const o = { fetch: 1, require: 2 }; o.fetch + o.require',
    "typeof process === 'undefined' ? 1 : process.env",
  ])('code that only resembles a forbidden form is accepted: %s', (text) => {
    expect(() => preparedText(text)).not.toThrow();
  });
});
