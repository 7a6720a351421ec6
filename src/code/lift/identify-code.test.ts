import { describe, expect, test } from 'vitest';

import { identityOfText } from '../../../test/helpers/of-text.js';

describe('the name stays', () => {
  test.each([
    ['names of variables', 'const a = 1; return a', 'const b = 1; return b'],
    [
      'names of parameters',
      'const f = (a, b) => a - b; f(1, 2)',
      'const f = (x, y) => x - y; f(1, 2)',
    ],
    [
      'hidden names',
      'const a = 1; const f = (b) => b; f(a)',
      'const a = 1; const f = (a) => a; f(a)',
    ],
    [
      'names in patterns',
      'const { x: a, ...r } = args; a + r.b',
      'const { x, ...s } = args; x + s.b',
    ],
    [
      'names in loops',
      'for (const a of args.l) mcp.x.y({ a })',
      'for (const b of args.l) mcp.x.y({ a: b })',
    ],
    ['names of errors', 'try { f() } catch (e) { g(e) }', 'try { f() } catch (error) { g(error) }'],
    ['labels', 'a: for (;;) { for (;;) break a }', 'b: for (;;) { for (;;) break b }'],
    [
      'defaults that see outside',
      'const x = 1; function f(a = x) { const x = 2; return a + x }',
      'const x = 1; function f(a = x) { const y = 2; return a + y }',
    ],
    ['quotes', "mcp.a.b({ 'c': 'd' })", 'mcp["a"].b({ c: `d` })'],
    ['brackets', '(1 + 2) * 3', '((1 + (2))) * (3)'],
    ['semicolons', 'a();\nb();', 'a()\nb();;'],
    ['types', 'const a: number = b as any; f<string>(a!)', 'const a = b; f(a)'],
    ['interfaces', 'interface A {}\ntype B = A;\n1', '1'],
    ['comments', '/* x */ a() // y', 'a()'],
    ['ways to write a number', 'f(1000, 0.5)', 'f(1e3, .5)'],
    ['commas at the end', 'f([1, 2], { a })', 'f([1, 2,], { a, },)'],
  ])('with other %s', (_what, one, other) => {
    expect(identityOfText(other)).toBe(identityOfText(one));
  });
});

describe('the name changes', () => {
  test.each([
    ['literal', 'f(1)', 'f(2)'],
    ['kind of literal', "f('1')", 'f(1)'],
    ['tool', 'mcp.a.b()', 'mcp.a.c()'],
    ['field', 'f(a.b)', 'f(a.c)'],
    ['key', 'f({ a: 1 })', 'f({ b: 1 })'],
    ['operator', 'a + b', 'a - b'],
    ['order', 'f(); g()', 'g(); f()'],
    ['return', 'return 1', 'return 2'],
    ['missing return', 'f(); return 1', 'f()'],
    ['branch', 'if (a) f()', 'if (a) f(); else g()'],
    ['condition', 'if (a) f()', 'if (!a) f()'],
    ['await', 'await f()', 'f()'],
    ['optional access', 'a?.b', 'a.b'],
    ['end of an optional chain', 'a?.b.c', '(a?.b).c'],
    ['global for a variable', 'const a = 1; f(a)', 'const a = 1; f(b)'],
    ['variable for another', 'const a = 1, b = 2; f(a, b)', 'const a = 1, b = 2; f(b, a)'],
    [
      'captured variable',
      'const a = 1; { const b = 2; f(a) }',
      'const a = 1; { const a = 2; f(a) }',
    ],
    ['loop', 'for (const a of b) f(a)', 'for (const a in b) f(a)'],
    ['target of a break', 'a: for (;;) b: for (;;) break a', 'a: for (;;) b: for (;;) break b'],
    ['text in a tag', 'tag`a\\n`', 'tag`a\n`'],
    ['pattern', '/a/g', '/a/i'],
    ['async', 'f(async () => 1)', 'f(() => 1)'],
    ['hole', 'f([, 1])', 'f([1])'],
    ['spread', 'f(...a)', 'f(a)'],
    ['computed key', 'f({ [a]: 1 })', 'f({ a: 1 })'],
  ])('with another %s', (_what, one, other) => {
    expect(identityOfText(other)).not.toBe(identityOfText(one));
  });
});
