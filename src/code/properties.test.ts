import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  madeProgram,
  PLAIN,
  writeProgram,
  writing,
  type MadeProgram,
} from '../../test/helpers/made-programs.js';
import {
  identityOfText,
  liftedText,
  preparedText,
  structureOfText,
} from '../../test/helpers/of-text.js';
import { compileScript, operate, runScript } from '../../test/helpers/run-script.js';
import { straightLine } from '../../test/helpers/straight-line.js';

/** Servers that answer everything, and a list of what was asked. */
function recorder() {
  const seen: unknown[] = [];
  const mcp = new Proxy(
    {},
    {
      get: (_servers, server: string) =>
        new Proxy(
          {},
          {
            get: (_tools, tool: string) => async (args: unknown) => {
              seen.push([`${server}:${tool}`, structuredClone(args)]);
              await Promise.resolve();
              return { rows: [3, 1, 2], text: `${tool},x`, n: seen.length, one: ['a'] };
            },
          },
        ),
    },
  );
  return { mcp, seen };
}

async function run(body: string, args: unknown = {}) {
  const { mcp, seen } = recorder();
  return { result: await runScript(body, { mcp, args }), seen };
}

test('prepared programs do what the compiled ones do', async () => {
  await fc.assert(
    fc.asyncProperty(madeProgram({ isStraight: false }), writing, async (program, style) => {
      const text = writeProgram(program, style);

      expect(await run(preparedText(text).source)).toEqual(await run(compileScript(text)));
    }),
    { numRuns: 200 },
  );
});

test('a straight program makes the calls and operations its structure foretells', async () => {
  await fc.assert(
    fc.asyncProperty(madeProgram({ isStraight: true }), writing, async (program, style) => {
      const text = writeProgram(program, style);
      const { source, sites } = preparedText(text);
      const { mcp, seen } = recorder();
      const trace: string[] = [];
      const noting = new Proxy(mcp, {
        get: (target, server: string) =>
          new Proxy(Reflect.get(target, server) as object, {
            get: (tools, tool: string) => {
              const call = Reflect.get(tools, tool) as (args: unknown) => unknown;
              return (args: unknown) => {
                trace.push(`${server}:${tool}`);
                return call(args);
              };
            },
          }),
      });

      await runScript(source, { mcp: noting, args: {} }, (site, receiver, name, ...args) => {
        trace.push(sites[site]!.operation);
        return operate(site, receiver, name, ...args);
      });

      const expected = straightLine(structureOfText(text)) ?? [];
      expect(withoutSkipped(expected, trace)).toEqual(trace);
      expect(seen.length).toBeGreaterThan(0);
    }),
    { numRuns: 200 },
  );
});

/** `a?.join()` is foretold and may be skipped. */
function withoutSkipped(expected: readonly string[], made: readonly string[]): readonly string[] {
  const left = [...made];
  return expected.filter((one) => {
    const isMade = left[0] === one;
    if (isMade) left.shift();
    return isMade || one !== 'code:join';
  });
}

test('the way a program is written does not change its name', () => {
  fc.assert(
    fc.property(madeProgram({ isStraight: false }), writing, (program, style) => {
      expect(identityOfText(writeProgram(program, style))).toBe(
        identityOfText(writeProgram(program, PLAIN)),
      );
    }),
    { numRuns: 200 },
  );
});

/** Every value in a program that says what it does, as a function that changes it. */
function changesOf(program: MadeProgram): (() => MadeProgram)[] {
  const changes: (() => MadeProgram)[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    const key = path.at(-1);
    if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) visit(child, [...path, name]);
    } else if (key !== 'kind' && key !== 'as' && key !== 'of' && path[0] === 'steps') {
      changes.push(() => changed(program, path, value));
    }
  };
  visit(program, []);
  for (let index = 0; index < program.returns.length; index += 1) {
    changes.push(() => ({ ...program, returns: program.returns.filter((one) => one !== index) }));
  }
  return changes;
}

function changed(program: MadeProgram, path: readonly (string | number)[], value: unknown) {
  const copy = structuredClone(program);
  let at = copy as unknown as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  if (typeof value === 'number') at[last] = value + 1;
  else if (typeof value === 'boolean') at[last] = !value;
  else at[last] = /[.[]/.test(String(value)) ? 'other.tool' : `${String(value)}s`;
  return copy;
}

test('any other literal, tool, operation, field, branch or result changes the name', () => {
  fc.assert(
    fc.property(madeProgram({ isStraight: false }), fc.nat(), (program, pick) => {
      const changes = changesOf(program);
      const other = changes[pick % changes.length]!();

      const [before, after] = [program, other].map((one) => writeProgram(one, PLAIN));

      fc.pre(before !== after);
      expect(identityOfText(after!)).not.toBe(identityOfText(before!));
    }),
    { numRuns: 300 },
  );
});

test('lifted programs with their defaults do what they did', async () => {
  await fc.assert(
    fc.asyncProperty(madeProgram({ isStraight: false }), writing, async (program, style) => {
      const text = writeProgram(program, style);

      const { code, defaults, parameters } = liftedText(text);

      const before = await run(compileScript(text), { own: 1 });
      expect(await run(preparedText(code).source, { own: 1, ...defaults })).toEqual(before);
      expect(Object.keys(parameters['properties'] as object).toSorted()).toEqual(
        Object.keys(defaults).toSorted(),
      );
    }),
    { numRuns: 200 },
  );
});

/** Calls of tools through functions and constants of the script, with data that may be anything. */
const helperData = fc.record({
  owner: fc.constantFrom('acme', 'zeta', 'kilo'),
  pages: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 3, maxLength: 3 }),
  limit: fc.integer({ min: 100, max: 199 }),
});

type HelperData = typeof helperData extends fc.Arbitrary<infer Data> ? Data : never;

const HELPERS: readonly ((data: HelperData) => string)[] = [
  ({ pages }) => `const page = (p) => mcp.s.list({ page: p }); await page(${pages[0]});`,
  ({ owner, pages }) =>
    `const own = { owner: '${owner}' }; const list = (q) => mcp.s.list({ ...own, ...q }); await list({ page: ${pages[1]} });`,
  ({ owner, limit }) =>
    `async function find({ of, most = ${limit} }) { return mcp.db.find({ of, most }) } await find({ of: '${owner}' }); await find({ of: '${owner}', most: ${limit} });`,
  ({ pages, limit }) =>
    `const list = [${pages.join(', ')}]; const one = async (id) => (id > ${limit} ? id : mcp.x.get({ id })); await Promise.all(list.map(one)); for (const each of list) await one(each);`,
  ({ pages }) =>
    `const deep = (n) => mcp.x.get({ id: n }); const through = (n) => (n > 50 ? deep(n) : deep(n)); await through(${pages[2]});`,
  ({ pages }) =>
    `for (const id of [${pages.join(', ')}]) await mcp.x.get({ id }); await Promise.all([${pages[0]}, ${pages[1]}].map((n) => mcp.x.put({ n })));`,
  ({ owner, pages }) =>
    `for (const { who, n } of [{ who: '${owner}', n: ${pages[0]} }, { who: 'Zed', n: ${pages[1]} }]) await mcp.x.put({ who, n });`,
  ({ owner, pages }) =>
    `const trips = [{ to: '${owner}', n: ${pages[0]} }]; const go = (all) => Promise.all(all.map((t) => mcp.x.put({ to: t.to, n: t.n }))); await go(trips);`,
  ({ pages }) =>
    `const left = [${pages.join(', ')}]; for (const id of left) { if (id > 50 && left.length < 6) left.push(1); await mcp.x.get({ id }) }`,
  ({ pages }) =>
    `for (let turn = 0; turn < 2; turn++) for (const one of [{ n: ${pages[0]} }, { n: ${pages[1]} }]) { one.n += turn + 1; await mcp.x.put({ n: one.n }) }`,
  ({ owner }) =>
    `const city = 'The ${owner}'; const said = \`About The ${owner}: \${(await mcp.x.get({ city })).text}\`; await mcp.x.put({ said, more: 'In The ${owner}, \\n\`x\`' + said, key: { 'The ${owner}': 1 } });`,
  ({ pages }) =>
    `const grow = (n, seen) => { seen.push(n); return mcp.x.put({ n, seen }) }; await grow(${pages[0]}, []); await grow(${pages[1]}, [7]);`,
];

const helperParts = fc.uniqueArray(fc.nat(HELPERS.length - 1), { minLength: 1, maxLength: 4 });
const writeHelpers = (parts: readonly number[], data: HelperData) =>
  parts.map((part) => `{ ${HELPERS[part]!(data)} }`).join('\n');

test('lifted data of functions and constants is what it was', async () => {
  await fc.assert(
    fc.asyncProperty(helperParts, helperData, async (parts, data) => {
      const text = writeHelpers(parts, data);

      const { code, defaults } = liftedText(text);

      const after = await run(preparedText(code).source, { own: 1, ...defaults });
      expect(after).toEqual(await run(compileScript(text), { own: 1 }));
      expect(liftedText(code)).toMatchObject({ code, defaults: {} });
    }),
    { numRuns: 100 },
  );
});

test('scripts that differ in what they hand to their functions have one name when lifted', () => {
  // A condition on the data is part of the procedure, and so is a list that the script changes.
  const ofData = [0, 1, 4, 5, 6, 7];
  const some = fc.subarray(ofData, { minLength: 1 });
  fc.assert(
    fc.property(some, helperData, helperData, (parts, one, other) => {
      const names = [one, other].map((data) =>
        identityOfText(liftedText(writeHelpers(parts, data)).code),
      );

      expect(names[1]).toBe(names[0]);
    }),
    { numRuns: 100 },
  );
});
