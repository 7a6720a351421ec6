import { describe, expect, test } from 'vitest';

import { structureOfText } from '../../../test/helpers/of-text.js';
import { nameOf, straightLine } from '../../../test/helpers/straight-line.js';
import { effectsOf } from './analyze-code.js';
import { formatStructure } from './format-structure.js';
import type { CodeStructure } from './structure.js';

/** `web:get.body → mail:send.text`, by the names of the nodes. */
function flowsIn({ nodes, edges }: CodeStructure): readonly string[] {
  const names = new Map(nodes.map((node) => [node.id, nameOf(node) ?? node.kind]));
  return edges.flatMap((edge) => {
    if (edge.kind !== 'provides') return [];
    const from = [names.get(edge.from), ...edge.path].join('.');
    return [`${from} → ${[names.get(edge.to), ...edge.into].join('.')}`];
  });
}

const tree = (text: string) => formatStructure(structureOfText(text)).join('\n');

describe('values', () => {
  test.each([
    ['a variable', 'const a = await mcp.a.b(); await mcp.c.d({ x: a.y })', 'a:b.y → c:d.x'],
    ['a pattern', 'const { y: [, z] } = await mcp.a.b(); mcp.c.d({ x: z.w })', 'a:b.y.1.w → c:d.x'],
    [
      'a nested argument',
      'const a = await mcp.a.b(); mcp.c.d({ x: { y: [a] } })',
      'a:b → c:d.x.y.0',
    ],
    ['a template', 'const a = await mcp.a.b(); mcp.c.d({ x: `!${a.t}` })', 'a:b.t → c:d.x'],
    [
      'a helper',
      'const go = async (q) => mcp.c.d({ x: q.r }); const a = await mcp.a.b(); await go(a)',
      'a:b.r → c:d.x',
    ],
    [
      'a result of a helper',
      'async function get() { const r = await mcp.a.b(); return r.v }\nmcp.c.d({ x: await get() })',
      'a:b.v → c:d.x',
    ],
    ['an object', 'const o = { v: await mcp.a.b() }; mcp.c.d({ ...o, x: o.v.w })', 'a:b.w → c:d.x'],
    [
      'parallel calls',
      'const [a, b] = await Promise.all([mcp.q.r(), mcp.a.b()]); mcp.c.d({ x: b.y })',
      'a:b.y → c:d.x',
    ],
    [
      'a loop',
      'const a = await mcp.a.b(); for (const i of a.l) await mcp.c.d({ x: i.n })',
      'a:b.l.*.n → c:d.x',
    ],
    [
      'a list that grows',
      'const l = []; l.push(await mcp.a.b()); mcp.c.d({ x: l })',
      'a:b → c:d.x',
    ],
    [
      'the round before',
      'let n; do { const p = await mcp.a.b({ n }); n = p.next } while (n)',
      'a:b.next → a:b.n',
    ],
    ['then', 'await mcp.a.b().then((r) => mcp.c.d({ x: r.y }))', 'a:b.y → c:d.x'],
    [
      'a choice',
      'const a = await mcp.a.b(); const v = args.q ? a.y : 1; mcp.c.d({ x: v })',
      'a:b.y → c:d.x',
    ],
    [
      'an assignment in a branch',
      'let v = 1; const a = await mcp.a.b(); if (args.q) v = a.y; mcp.c.d({ x: v })',
      'a:b.y → c:d.x',
    ],
    [
      'an operation',
      'const a = await mcp.a.b(); mcp.c.d({ x: a.l.map(String) })',
      'code:map → c:d.x',
    ],
    [
      'a callback',
      'const a = await mcp.a.b(); await Promise.all(a.l.map((i) => mcp.c.d({ x: i })))',
      'a:b.l.* → c:d.x',
    ],
  ])('analysis finds a value that flows by %s', (_way, text, flow) => {
    expect(flowsIn(structureOfText(text))).toContain(flow);
  });

  test('analysis classifies values as literal, parameter, reference or computed', () => {
    const { nodes } = structureOfText(
      'const a = await mcp.a.b({ l: -1, p: args.q.r, c: args.n + 1, o: { k: [true] } });\nawait cap.go({ a })',
    );

    expect(nodes[0]).toMatchObject({
      kind: 'task',
      tool: 'a:b',
      input: {
        kind: 'object',
        fields: {
          l: { kind: 'literal', value: -1 },
          p: { kind: 'parameter', path: ['q', 'r'] },
          c: { kind: 'computed', from: [{ kind: 'parameter', path: ['n'] }] },
          o: { fields: { k: { items: [{ kind: 'literal', value: true }] } } },
        },
      },
    });
    expect(nodes[1]).toMatchObject({
      capability: 'go',
      input: { fields: { a: { kind: 'reference', node: 'task-1', variable: 'a' } } },
    });
  });
});

describe('shape', () => {
  test('branches, loops and forks hold the steps they decide, repeat and divide', () => {
    expect(
      tree(`const { rows } = await mcp.db.query({ table: 'a' });
if (rows.length === 0) return null;
for (const row of rows) {
  if (row.bad) await mcp.mail.send({ to: row.mail });
  else continue;
  await mcp.db.update({ id: row.id });
}
const [a] = await Promise.all([mcp.web.get({ url: args.url }), cap.go()]);
try { await mcp.x.y() } catch { await mcp.x.undo({ a: a.id }) }
return rows.map((r) => r.id)`),
    ).toBe(`task-1 db:query table="a"
decision-1 if rows.length === 0
  then:
    and ends here
loop-1 for-of rows
  decision-2 if row.bad
    then:
      task-2 mail:send to=task-1.rows.*.mail
    else:
      and ends here
  task-3 db:update id=task-1.rows.*.id
fork-1 side by side (all)
  task-4 web:get url=args.url
  capability-1 cap:go
task-5 x:y
decision-3 if that fails
  catch:
    task-6 x:undo a=task-4.id
operation-1 code:map
result operation-1`);
  });

  test('control edges lead from step to step, into branches and out of them', () => {
    const { edges } = structureOfText(
      'await mcp.a.a(); if (args.x) await mcp.b.b(); await mcp.c.c()',
    );

    expect(edges).toEqual([
      { kind: 'sequence', from: 'task-1', to: 'decision-1' },
      { kind: 'conditional', from: 'decision-1', to: 'task-2', branch: 'then' },
      { kind: 'sequence', from: 'task-2', to: 'task-3' },
      { kind: 'sequence', from: 'decision-1', to: 'task-3' },
    ]);
  });

  test('code that cannot be reached has no nodes', () => {
    expect(structureOfText('return mcp.a.b();\nmcp.c.d()').nodes).toHaveLength(1);
  });

  test('the span of a node is the span of its call', () => {
    const text = 'const a = 1;\n  await mcp.a.b({ a });';

    const [node] = structureOfText(text).nodes;

    expect(text.slice(node!.span.start, node!.span.end)).toBe('mcp.a.b({ a })');
    expect(node!.span).toMatchObject({ line: 2, column: 9 });
  });

  test('analysis follows helpers that call helpers only up to a limit', () => {
    const helpers = Array.from(
      { length: 16 },
      (_, i) =>
        `const f${i} = async () => { await f${i + 1}(); await f${i + 1}(); await f${i + 1}() };`,
    );

    const structure = structureOfText(
      `${helpers.join('\n')}\nconst f16 = () => mcp.a.b();\nawait f0()`,
    );

    expect(structure.isCut).toBe(true);
    expect(effectsOf(structure)).toMatchObject({ tools: ['a:b'], isOpen: true });
    expect(straightLine(structure)).toBeUndefined();
  });
});

describe('reach', () => {
  test.each([
    ['mcp.a.b()', ['a:b'], [], false],
    ['mcp["my-a"]["b-c"]()', ['my-a:b-c'], [], false],
    ['const { a: { b } } = mcp; b()', ['a:b'], [], false],
    ['const a = mcp.a; const f = a.b; f()', ['a:b'], [], false],
    ['(mcp as any).a!.b?.()', ['a:b'], [], false],
    ['cap.x(); cap["y"]()', [], ['x', 'y'], false],
    ['[1].map(mcp.a.b)', ['a:b'], [], false],
    ['class K { m() { return mcp.a.b() } }', ['a:b'], [], false],
    ['return () => mcp.a.b()', ['a:b'], [], false],
    ['if (false) mcp.a.b()', ['a:b'], [], false],
    ['return 1; mcp.a.b()', ['a:b'], [], false],
    ['const mcp = { a: { b() {} } }; mcp.a.b()', [], [], false],
    ['mcp[args.s].b()', [], [], true],
    ['mcp.a[args.t]()', [], [], true],
    ['cap[args.c]()', [], [], true],
    ['const all = [mcp]; all[0].a.b()', [], [], true],
    ['Object.keys(mcp)', [], [], true],
    ['const { a, ...others } = mcp; others.b.c()', ['b:c'], [], true],
    ['let m = mcp; m = m.a; m.b()', [], [], true],
    ['function f(s) { return s.b() } f(mcp.a)', ['a:b'], [], true],
  ])('effects of %s', (text, tools, capabilities, isOpen) => {
    const effects = effectsOf(structureOfText(text));

    expect(effects.capabilities).toEqual(capabilities);
    expect(effects.isOpen).toBe(isOpen);
    for (const tool of tools) expect(effects.tools).toContain(tool);
  });
});

describe('straight lines', () => {
  test.each([
    [
      'const a = await mcp.a.b(); return a.l.filter(Boolean).map(String)',
      ['a:b', 'code:filter', 'code:map'],
    ],
    ['await Promise.all([mcp.a.b(), mcp.c.d()])', ['a:b', 'c:d']],
    ['await Promise.all([mcp.a.b().then((r) => mcp.e.f(r)), mcp.c.d()])', undefined],
    ['if (args.x) mcp.a.b()', undefined],
    ['for (const x of args.l) mcp.a.b()', undefined],
    ['args.l.map((x) => mcp.a.b())', undefined],
    ['args.l.map((x) => x.y.join())', undefined],
    ['mcp.a[args.b]()', undefined],
    ['const x = args.a ? 1 : 2; mcp.a.b({ x })', ['a:b']],
  ])('straight line of %s', (text, line) => {
    expect(straightLine(structureOfText(text))).toEqual(line);
  });
});
