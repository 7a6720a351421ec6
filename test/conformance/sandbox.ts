import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  isJsonObject,
  type JsonValue,
  type Sandbox,
  type SandboxCall,
  type SandboxEnd,
  type SandboxHost,
  type SandboxLimits,
  type SandboxLine,
  type SandboxOperation,
  type SandboxReply,
} from '../../src/core/index.js';

const MIB = 1024 * 1024;

const LIMITS: SandboxLimits = {
  wallMs: 20_000,
  cpuMs: 5_000,
  memoryBytes: 64 * MIB,
  calls: 2_000,
  outputBytes: MIB,
  logLines: 100,
};

/** A host that records its calls and answers them with a function. */
export class RecordingHost implements SandboxHost {
  readonly calls: SandboxCall[] = [];
  readonly lines: SandboxLine[] = [];
  readonly operations: SandboxOperation[] = [];
  readonly #answer: (call: SandboxCall) => JsonValue | Promise<JsonValue>;
  #now: number;

  constructor(
    answer: (call: SandboxCall) => JsonValue | Promise<JsonValue> = ({ args }) => args,
    now = 1_000,
  ) {
    this.#answer = answer;
    this.#now = now;
  }

  async call(call: SandboxCall): Promise<SandboxReply> {
    this.calls.push(call);
    const value = await this.#answer(call);
    this.#now += 10;
    return { ok: true, value, now: this.#now };
  }

  log(line: SandboxLine): void {
    this.lines.push(line);
  }

  operated(operations: readonly SandboxOperation[]): void {
    this.operations.push(...operations);
  }

  waiting(): void {}

  /** Timers run in real time; results use the host's own clock, which is never behind. */
  async waitUntil(due: number, signal: AbortSignal): Promise<void> {
    await sleep(Math.max(0, due - this.#now), undefined, { signal }).catch(() => {}); // Cancelled.
    if (!signal.aborted) this.#now = Math.max(this.#now, due);
  }
}

export interface RunScriptOptions {
  readonly args?: JsonValue;
  readonly host?: SandboxHost;
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
  readonly seed?: number;
  readonly now?: number;
  readonly depth?: number;
}

export function runScript(
  sandbox: Sandbox,
  source: string,
  {
    args = null,
    host = new RecordingHost(),
    limits = {},
    signal = new AbortController().signal,
    seed = 1,
    now = 500,
    depth = 0,
  }: RunScriptOptions = {},
): Promise<SandboxEnd> {
  const options = { limits: { ...LIMITS, ...limits }, signal, depth };
  return sandbox.run({ source, args, seed, now }, host, options);
}

export interface SandboxSuiteOptions {
  /** The number of processes of the sandbox, if it uses any. */
  readonly countProcesses?: () => number;
}

/** What every sandbox must do. */
export function describeSandbox(
  name: string,
  create: () => Sandbox,
  { countProcesses = () => 0 }: SandboxSuiteOptions = {},
): void {
  describe(`Sandbox on ${name}`, () => {
    let sandbox: Sandbox;
    const run = (source: string, options?: RunScriptOptions) => runScript(sandbox, source, options);
    const value = async (source: string, options?: RunScriptOptions): Promise<JsonValue> => {
      const end = await run(source, options);
      if (end.status !== 'returned') throw new Error(`it did not return: ${JSON.stringify(end)}`);
      return end.value;
    };
    const limitOf = async (source: string, options?: RunScriptOptions) => {
      const end = await run(source, options);
      return end.status === 'stopped' ? end.limit : end;
    };

    beforeAll(async () => {
      sandbox = create();
      await sandbox.warmUp();
    }, 60_000);
    afterAll(() => sandbox[Symbol.asyncDispose]());

    describe('values', () => {
      test.each<[string, JsonValue]>([
        ['return 1 + 1', 2],
        ['return "é\\u0000😀\\ud800"', 'é\u0000😀\ud800'],
        ['return [true, null, { a: [] }]', [true, null, { a: [] }]],
        ['return undefined', null],
        ['const x = 1;', null],
        ['return [undefined, NaN, Infinity, () => 1]', [null, null, null, null]],
        ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
        ['return new Map([["a", new Map([[1, 2]])]])', { a: [[1, 2]] }],
        ['return new Set([1, [2]])', [1, [2]]],
        ['return [1n, 2n ** 64n]', [1, '18446744073709551616']],
        ['return new Uint8Array([1, 2])', [1, 2]],
        ['return [/a+/g, new TypeError("x")]', ['/a+/g', { name: 'TypeError', message: 'x' }]],
        ['return Promise.resolve(7)', 7],
        ['return [mcp.a.b({ x: 1 }), mcp.a.b({ x: 2 })]', [{ x: 1 }, { x: 2 }]],
        [
          'return { all: [1, 2].map(async (x) => ({ x: [mcp.a.b(x)] })) }',
          { all: [{ x: [1] }, { x: [2] }] },
        ],
        [
          'const one = mcp.a.b(5); return new Map([["a", one], ["b", [one, one]]])',
          { a: 5, b: [5, 5] },
        ],
        [
          'const late = new Promise((go) => setTimeout(() => go([mcp.a.b(6)]), 5)); return [late]',
          [[6]],
        ],
        [
          'const one = mcp.a.b(1); return [one instanceof Promise, await one, await one.finally(() => {})]',
          [true, 1, 1],
        ],
        [
          'const one = mcp.a.b(1); one.label = "x"; return [one.label, await one.then((x) => x + 1)]',
          ['x', 2],
        ],
      ])('script `%s` returns its value as JSON', async (source, expected) => {
        expect(await value(source)).toEqual(expected);
      });

      test.each(['mcp.a.name', 'mcp.name.length', 'cap.length'])(
        'tool or capability %s is called although its name is a property of functions',
        async (path) => {
          expect(await value(`return await ${path}({ x: 1 })`)).toEqual({ x: 1 });
        },
      );

      test.each([
        'return mcp.a.b({ x: 1 }).x',
        'const { x } = load("r_abcdefghijkl"); return x',
        'return load("r_abcdefghijkl").map((row) => row.id)',
        'return [...load("r_abcdefghijkl")]',
        'return `Customer ${mcp.a.b("Ann")}`',
        'return "Customer " + cap.name()',
        'return await mcp.a.b({ name: mcp.a.b("Ann") })',
        'return await mcp.a.b({ rows: [(async () => 1)()] })',
        'return JSON.stringify({ name: mcp.a.b("Ann") })',
      ])('script `%s` gets an error that names the missing await', async (source) => {
        const end = await run(source);

        expect(end).toMatchObject({
          status: 'threw',
          error: { name: 'TypeError', message: expect.stringContaining('write `await` before') },
        });
      });

      test('script fails when a promise in its result rejects', async () => {
        const end = await run('return [1, (async () => { throw new RangeError("no"); })()]');

        expect(end).toMatchObject({
          status: 'threw',
          error: { name: 'RangeError', message: 'no' },
        });
      });

      test('script ends when a promise in its result never settles or is no real promise', async () => {
        expect(await limitOf('return [new Promise(() => {})]')).toBe('deadlock');
        expect(await run('return Object.create(Promise.prototype)')).toMatchObject({
          status: 'threw',
        });
        expect(
          await run(
            'const deep = (n) => async () => ({ in: n ? deep(n - 1)() : 0 }); return [deep(99)()]',
          ),
        ).toMatchObject({
          status: 'threw',
          error: { message: expect.stringContaining('too many promises') },
        });
      });

      test('console.log shows a promise as a promise', async () => {
        const host = new RecordingHost();

        await run('console.log(mcp.a.b({}))', { host });

        expect(host.lines).toMatchObject([{ text: 'Promise { `await` it for its value }' }]);
      });

      test('script receives its arguments unchanged', async () => {
        const args = { list: [1, 'a', null], deep: { er: true }, text: 'line\nbreak "quoted"' };

        expect(await value('return args', { args })).toEqual(args);
      });

      test('any JSON value passes unchanged through arguments, a call and the result', async () => {
        const json = fc
          .jsonValue({ maxDepth: 4 })
          .map((one) => JSON.parse(JSON.stringify(one)) as JsonValue)
          .filter((one) => !/__proto__|constructor/.test(JSON.stringify(one)));
        await fc.assert(
          fc.asyncProperty(json, async (args) => {
            expect(await value('return [args, await mcp.a.b(args)]', { args })).toEqual([
              args,
              args,
            ]);
          }),
          { numRuns: 50 },
        );
      });

      test('script that returns a cycle fails with an error that names the cycle', async () => {
        const end = await run('const a = {}; a.a = a; return a');

        expect(end).toMatchObject({ status: 'threw', error: { name: 'TypeError' } });
        expect(JSON.stringify(end)).toContain('circular');
      });

      test('keys that change prototypes never reach the host', async () => {
        const host = new RecordingHost();
        const source = `
          const bad = JSON.parse('{"__proto__": {"x": 1}, "constructor": {"prototype": {"x": 1}}, "ok": 1}');
          await mcp.a.b(bad);
          return { bad, constructor: 'Ferrari' };`;

        const result = await value(source, { host });

        expect(JSON.stringify(host.calls[0]?.args)).toBe('{"ok":1}');
        expect(JSON.stringify(result)).toBe('{"bad":{"ok":1},"constructor":"Ferrari"}');
      });

      test('sandbox refuses a result that nests too deep', async () => {
        const end = await run('let a = []; for (let i = 0; i < 500; i++) a = [a]; return a');

        expect(end).toMatchObject({ status: 'threw', error: { name: 'RangeError' } });
      });
    });

    describe('errors', () => {
      test('thrown error is reported with its line and column in the source', async () => {
        const end = await run('const a = 1;\n\nthrow new RangeError("too far");');

        expect(end).toEqual({
          status: 'threw',
          error: { name: 'RangeError', message: 'too far', line: 3, column: expect.any(Number) },
        });
      });

      test('syntax error is reported with its line', async () => {
        const end = await run('const a = 1;\nconst b = ;');

        expect(end).toMatchObject({ status: 'threw', error: { name: 'SyntaxError', line: 2 } });
      });

      test.each(['throw "text"', 'throw null', 'throw undefined', 'throw 7', 'throw { a: 1 }'])(
        'script `%s` ends with a name and a message',
        async (source) => {
          expect(await run(source)).toMatchObject({
            status: 'threw',
            error: { name: expect.any(String), message: expect.any(String) },
          });
        },
      );

      test('script ends even if the error it throws cannot be read', async () => {
        const end = await run(
          'throw new Proxy({}, { get() { throw new Error("no") }, getPrototypeOf() { throw 1 } })',
        );

        expect(end.status).toBe('threw');
      });

      test('a failed call throws an error with the name, message and code of the host', async () => {
        const host = new RecordingHost();
        host.call = async () => ({
          ok: false,
          error: { name: 'ToolError', message: 'no such file', code: 'TOOL_FAILED' },
          now: 2,
        });
        const source = `try { await mcp.fs.read({}) } catch (e) {
          return [e instanceof Error, e instanceof ToolError, e.name, e.message, e.code];
        }`;

        expect(await value(source, { host })).toEqual([
          true,
          true,
          'ToolError',
          'no such file',
          'TOOL_FAILED',
        ]);
        expect(await run('\nawait mcp.fs.read({})', { host })).toEqual({
          status: 'threw',
          error: {
            name: 'ToolError',
            message: 'no such file',
            code: 'TOOL_FAILED',
            line: 2,
            column: expect.any(Number),
          },
        });
      });

      test('failing host makes the call fail, and the error reveals nothing about the host', async () => {
        const host = new RecordingHost(() => Promise.reject(new Error('boom')));

        const told = await value(
          'try { await mcp.a.b() } catch (e) { return String(e.stack) + e }',
          {
            host,
          },
        );

        expect(told).toContain('boom');
        expect(told).not.toMatch(/node_modules|\/src\/|file:/);
      });

      test('result that cannot be serialized makes its call fail, and the script continues', async () => {
        let deep: JsonValue = 1;
        for (let level = 0; level < 20_000; level++) deep = [deep];
        const host = new RecordingHost(({ args }) =>
          isJsonObject(args) && 'n' in args ? args : deep,
        );

        const source = `try { await mcp.a.b() } catch (e) { return [e.code, await mcp.a.b({ n: 1 })] }`;

        expect(await value(source, { host })).toEqual(['CALL_FAILED', { n: 1 }]);
      });

      test('results longer than what a pipe holds arrive whole, also those that come at once', async () => {
        const long = 'é😀"\\\n'.repeat(40_000);
        const host = new RecordingHost(({ args }) => [args, long, { last: long.length }]);

        const source = `const all = await Promise.all([1, 2, 3].map((n) => mcp.a.b(n)));
          return all.map(([n, text, { last }]) => [n, text.length === last, text.slice(-5)])`;

        const end = 'é😀"\\\n'.slice(-5);
        expect(await value(source, { host })).toEqual([1, 2, 3].map((n) => [n, true, end]));
      });

      test('result that its script no longer waits for does not reach the next script', async () => {
        const long = 'x'.repeat(300_000);
        const host = new RecordingHost(({ args }) => (args === 1 ? 'first' : long));

        const source = 'const one = mcp.a.b(1); mcp.a.b(2); mcp.a.b(3); return await one';

        for (let script = 0; script < 3; script++) {
          expect(await value(source, { host })).toBe('first');
          expect(await value('return args.n + 1', { args: { n: script } })).toBe(script + 1);
        }
      });

      test('result longer than the memory of a script ends it by that limit', async () => {
        const host = new RecordingHost(() => Array.from({ length: 900_000 }, (_, id) => ({ id })));
        const limits = { memoryBytes: 32 * 1024 * 1024, outputBytes: 64 * 1024 * 1024 };

        const source = 'try { return (await mcp.a.b()).length } catch { return "caught" }';

        expect(await limitOf(source, { host, limits })).toBe('memory');
      });

      test('stack traces reveal nothing about the host', async () => {
        const told = await value(
          'return [new Error().stack, (() => { try { null.x } catch (e) { return e.stack } })()]',
        );

        expect(JSON.stringify(told)).not.toMatch(/node:|file:|\/(work|home|usr|tmp|root)\//);
      });
    });

    describe('calls', () => {
      test('host can distinguish calls to tools, capabilities and handles; call ids count from one', async () => {
        const host = new RecordingHost();

        await value(
          'await mcp.git.log({ n: 1 }); await mcp["my-server"]["get.it"](); await cap.summary([1]); await load("h1")',
          { host },
        );

        expect(host.calls).toEqual([
          { id: 1, kind: 'tool', name: 'git:log', args: { n: 1 } },
          { id: 2, kind: 'tool', name: 'my-server:get.it', args: {} },
          { id: 3, kind: 'capability', name: 'summary', args: [1] },
          { id: 4, kind: 'load', name: 'h1', args: null },
        ]);
      });

      test('script makes all its calls at once, and the host may answer them in any order', async () => {
        const open: (() => void)[] = [];
        const host = new RecordingHost(
          ({ args }) => new Promise((resolve) => open.push(() => resolve(args))),
        );
        host.waiting = () => open.pop()?.();

        const result = await value(
          `const order = [];
           const all = await Promise.all([0, 1, 2, 3, 4].map(async (i) => {
             const got = await mcp.a.b(i); order.push(got); return got }));
           return { all, order }`,
          { host },
        );

        expect(result).toEqual({ all: [0, 1, 2, 3, 4], order: [4, 3, 2, 1, 0] });
      });

      test('Promise.race takes the first result, and the script ends without the other calls', async () => {
        const host = new RecordingHost(({ args }) =>
          args === 'slow' ? new Promise<JsonValue>(() => {}) : 'fast',
        );

        expect(
          await value('return Promise.race([mcp.a.b("slow"), mcp.a.b("now")])', { host }),
        ).toBe('fast');
      });

      test('for await iterates over results of calls', async () => {
        const source = `async function* pages() { for (let i = 0; i < 3; i++) yield await mcp.a.page(i) }
          const got = []; for await (const page of pages()) got.push(page); return got`;

        expect(await value(source)).toEqual([0, 1, 2]);
      });

      test('sandbox notifies the host once each time that the script can only wait', async () => {
        const open: (() => void)[] = [];
        const told: number[] = [];
        const host = new RecordingHost(() => new Promise((resolve) => open.push(() => resolve(1))));
        host.waiting = () => {
          told.push(host.calls.length);
          for (const answer of open.splice(0)) answer();
        };

        await value('await mcp.a.b(); await Promise.all([mcp.a.b(), mcp.a.b()]); return 1', {
          host,
        });

        expect(told).toEqual([1, 3]);
      });

      test('calling or changing a server object throws an error that explains the right use', async () => {
        const words = await value(
          `const said = [];
           for (const f of [() => mcp.git(), () => mcp(), () => { 'use strict'; mcp.git.log = 1 }, () => load(1)])
             try { f() } catch (e) { said.push(e.name) }
           return said`,
        );

        expect(words).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError']);
      });

      test('awaiting or printing servers and tools makes no call', async () => {
        const host = new RecordingHost();

        await run('await mcp; await mcp.git; console.log(mcp, mcp.git, `${typeof mcp.git.log}`)', {
          host,
        });

        expect(host.calls).toEqual([]);
      });
    });

    describe('time and chance', () => {
      test('timers fire after their delay, in the order they are due', async () => {
        const source = `const order = [];
          setTimeout(() => order.push('late'), 150); setTimeout(() => order.push('soon'), 5);
          const every = setInterval(() => { order.push('tick'); if (order.length > 4) clearInterval(every) }, 20);
          const never = setTimeout(() => order.push('never'), 1); clearTimeout(never);
          await new Promise((done) => setTimeout(done, 300));
          return { order, passed: Date.now() - 500, now: performance.now() }`;
        const start = performance.now();

        const result = await value(source, { host: new RecordingHost(undefined, 500) });

        expect(result).toEqual({
          order: ['soon', 'tick', 'tick', 'tick', 'tick', 'late'],
          passed: 300,
          now: 300,
        });
        // Timers of this process may fire slightly early by their own clock.
        expect(performance.now() - start).toBeGreaterThan(290);
      });

      test('polling script makes no more calls than its pauses allow', async () => {
        const begun = performance.now();
        const host = new RecordingHost(() => performance.now() - begun > 500);
        const source = `let asked = 0;
          do { asked++; if (await mcp.job.isDone()) return asked; await new Promise((r) => setTimeout(r, 100)); }
          while (asked < 1_000)`;

        const asked = await value(source, { host });

        expect(asked).toBe(host.calls.length);
        expect(asked).toBeLessThanOrEqual(7);
      });

      test('host decides when a timer fires, and its wait is aborted if a result ends the script first', async () => {
        const asked: { due: number; signal: AbortSignal }[] = [];
        let answer = () => {};
        const host = new RecordingHost(() => new Promise((resolve) => (answer = () => resolve(1))));
        host.waitUntil = (due, signal) => {
          asked.push({ due, signal });
          if (asked.length === 2) answer();
          return asked.length === 1 ? Promise.resolve() : new Promise(() => {});
        };

        const result = await value(
          `await new Promise((r) => setTimeout(r, 3_600_000));
           const late = setTimeout(() => {}, 5_000);
           return [await mcp.a.b(), Date.now()]`,
          { host },
        );

        expect(result).toEqual([1, 3_600_500]);
        expect(asked.map(({ due }) => due)).toEqual([3_600_500, 3_605_500]);
        expect(asked[1]?.signal.aborted).toBe(true);
      });

      test('long pause is no deadlock: only the wall-clock limit or an abort ends it', async () => {
        const source = 'await new Promise((r) => setTimeout(r, 60_000))';
        const leaving = new AbortController();
        const host = new RecordingHost();
        host.waitUntil = async () => leaving.abort();

        expect(await limitOf(source, { limits: { wallMs: 50 } })).toBe('time');
        expect(await run(source, { host, signal: leaving.signal })).toEqual({ status: 'aborted' });
      });

      test('cost of timers grows linearly with their number', async () => {
        const source = `let fired = 0; const ids = [];
          for (let i = 0; i < 20_000; i++) ids.push(setTimeout(() => fired++, i % 100));
          for (let i = 0; i < 20_000; i += 2) clearTimeout(ids[i]);
          await new Promise((done) => setTimeout(done, 1_000));
          return fired`;

        expect(await value(source, { limits: { cpuMs: 10_000, wallMs: 55_000 } })).toBe(10_000);
      });

      test('timer that is due before a result fires first, a later one does not', async () => {
        const source = (ms: number) => `return Promise.race([
          mcp.a.b('answer'), new Promise((done) => setTimeout(() => done('timer'), ${ms}))])`;

        const host = new RecordingHost();
        host.waitUntil = () => new Promise(() => {});
        expect(await value(source(100), { host })).toBe('timer');
        expect(await value(source(100_000))).toBe('answer');
      });

      test('clock of a script shows the time of the last result and never goes back', async () => {
        const source = 'const a = Date.now(); await mcp.a.b(); return [a, Date.now(), +new Date()]';

        expect(await value(source)).toEqual([500, 1_010, 1_010]);
      });

      test('script is deterministic for the same seed and the same results', async () => {
        const source = `const got = await Promise.all([1, 2, 3].map((i) => mcp.a.b({ i, r: Math.random() })));
          console.log(got, Date.now());
          const order = []; for (const ms of [3, 1, 2]) setTimeout(() => order.push(ms), ms);
          await new Promise((r) => setTimeout(r, 10));
          return [got, order, Math.random(), crypto.randomUUID(), Date.now(), [3, 1, 2].sort(() => Math.random() - 0.5)]`;
        const once = async (seed: number) => {
          const host = new RecordingHost();
          return {
            result: await value(source, { host, seed }),
            lines: host.lines,
            calls: host.calls,
          };
        };

        const [first, again, other] = [await once(42), await once(42), await once(43)];

        expect(again).toEqual(first);
        expect(other.result).not.toEqual(first.result);
      });
    });

    describe('log lines and operations', () => {
      test('console keeps levels and shows values readably', async () => {
        const host = new RecordingHost();
        const source = `console.log('a', 1, { b: [1, { c: null }], 'd e': 'f' }, [undefined, 2n], new Map([[1, 2]]));
          console.warn(new TypeError('bad')); console.debug(Symbol('s'), () => 1);
          const loop = {}; loop.loop = loop; console.error(loop, { get x() { throw 1 } });`;

        await value(source, { host });

        expect(host.lines).toEqual([
          {
            level: 'info',
            text: 'a 1 { b: [ 1, { c: null } ], "d e": "f" } [ undefined, 2n ] Map(1) { 1 => 2 }',
          },
          { level: 'warn', text: 'TypeError: bad (line 2)' },
          { level: 'debug', text: 'Symbol(s) [function]' },
          { level: 'error', text: '{ loop: [circular] } { x: [getter] }' },
        ]);
      });

      test('console drops lines beyond the limit, and one line says so', async () => {
        const host = new RecordingHost();

        await value('for (let i = 0; i < 50_000; i++) console.log(i)', {
          host,
          limits: { logLines: 3 },
        });

        expect(host.lines.map(({ text }) => text).slice(0, 3)).toEqual(['0', '1', '2']);
        expect(host.lines).toHaveLength(4);
        expect(host.lines[3]).toMatchObject({ level: 'warn' });
        expect(host.lines[3]?.text).toContain('logLines');
      });

      test('console drops lines whose total length exceeds the limit', async () => {
        const host = new RecordingHost();

        await value('for (let i = 0; i < 5; i++) console.log("x".repeat(400))', {
          host,
          limits: { outputBytes: 1_000 },
        });

        expect(host.lines).toHaveLength(3);
      });

      test('operations return what the plain methods return, and report their counts', async () => {
        const host = new RecordingHost();
        const source = `const rows = __op(1, args, 'filter', (x) => x > 1);
          await mcp.a.b();
          const sum = __op(2, rows, 'reduce', (a, b) => a + b, 0);
          const all = await __op(3, Promise, 'all', [1, 2]);
          return [rows, sum, all, __op(1, [5], 'filter', (x) => x)]`;

        const result = await value(source, { host, args: [1, 2, 3] });

        expect(result).toEqual([[2, 3], 5, [1, 2], [5]]);
        expect(host.operations).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ site: 1, times: 1, inputs: 3, outputs: 2, afterCall: 0 }),
            expect.objectContaining({ site: 2, times: 1, inputs: 2, outputs: 1, afterCall: 1 }),
            expect.objectContaining({ site: 3, times: 1, outputs: 2, afterCall: 1 }),
            expect.objectContaining({ site: 1, times: 1, inputs: 1, outputs: 1, afterCall: 1 }),
          ]),
        );
      });

      test('unknown or throwing operation fails like the plain method', async () => {
        const host = new RecordingHost();

        expect(await run('__op(1, [], "nope")', { host })).toMatchObject({
          status: 'threw',
          error: { name: 'TypeError', message: expect.stringContaining('nope') },
        });
        expect(await run('__op(1, [1], "map", () => { throw new Error("mine") })')).toMatchObject({
          error: { message: 'mine' },
        });
      });

      test('operation in a hot loop is counted in full although only a few are sampled', async () => {
        const host = new RecordingHost();

        await value('for (let i = 0; i < 20_000; i++) __op(1, [1, 2], "map", (x) => x)', { host });

        const times = host.operations.reduce((sum, operation) => sum + operation.times, 0);
        expect(times).toBeGreaterThan(19_000);
        expect(times).toBeLessThan(21_000);
        expect(host.operations.length).toBeLessThan(10);
      });
    });

    describe('limits', () => {
      test.each([
        ['a loop', 'while (true) {}'],
        ['a loop in a callback', '[1].forEach(() => { for (;;); })'],
        ['a loop of promises', 'while (true) await null'],
        ['a chain of promises', 'const f = () => Promise.resolve().then(f); await f()'],
        [
          'a loop that catches everything',
          'for (;;) try { for (;;); } catch {} finally { for (;;); }',
        ],
        ['a getter', 'return { get a() { for (;;); } }'],
        ['toJSON', 'return { toJSON() { for (;;); } }'],
        ['a regular expression', `/(a+)+$/.test('a'.repeat(40) + 'b')`],
        ['an error that computes when it is read', 'throw { get message() { for (;;); } }'],
        [
          'an array that never ends',
          'Array.from({ length: 2 ** 32 - 1 }, () => 0 * 1).length; for (;;);',
        ],
      ])('script with %s is stopped by its CPU limit', async (_, source) => {
        const limit = await limitOf(source, { limits: { cpuMs: 300, memoryBytes: 32 * MIB } });

        expect(['cpu', 'memory']).toContain(limit);
      });

      test.each([
        ['arrays', 'const a = []; for (;;) a.push(new Array(10_000).fill(1))'],
        ['text', 'let s = "x"; for (;;) s += s'],
        ['one huge text', 'return "x".repeat(2 ** 28)'],
        ['one huge buffer', 'return new Uint8Array(2 ** 30).length'],
        ['closures', 'let f = null; for (;;) { const g = f; f = () => g }'],
        ['promises', 'const a = []; for (;;) a.push(new Promise(() => {}))'],
        ['a map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})'],
      ])('script that allocates %s is stopped by its memory limit', async (_, source) => {
        expect(await limitOf(source, { limits: { memoryBytes: 24 * MIB } })).toBe('memory');
      });

      test.each([
        ['function', 'const f = () => f() + 1; f()'],
        ['getter', 'const o = { get a() { return o.a } }; o.a'],
        ['proxy', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x'],
        ['toString', 'const o = { toString() { return `${o}` } }; `${o}`'],
      ])('endless recursion of a %s is stopped by the stack limit', async (_, source) => {
        expect(await limitOf(source)).toBe('stack');
      });

      test('script that catches its endless recursion continues', async () => {
        const source = 'const f = () => f(); try { f() } catch (e) { return e.name }';

        expect(await value(source)).toBe('RangeError');
      });

      test('endless interval is stopped by the wall-clock limit', async () => {
        const source = 'setInterval(() => {}, 1); await new Promise(() => {})';

        expect(await limitOf(source, { limits: { wallMs: 100 } })).toBe('time');
      });

      test('wall-clock limit includes the time spent waiting for calls', async () => {
        const host = new RecordingHost(() => new Promise<JsonValue>(() => {}));

        const end = await run('await mcp.a.b()', { host, limits: { wallMs: 50 } });

        expect(end).toMatchObject({ status: 'stopped', limit: 'time' });
        expect(JSON.stringify(end)).toContain('code.timeoutMs');
      });

      test('script is stopped at its call limit before the extra call reaches the host', async () => {
        const host = new RecordingHost();

        const end = await run('for (;;) try { mcp.a.b() } catch {}', {
          host,
          limits: { calls: 7 },
        });

        expect(end).toMatchObject({ status: 'stopped', limit: 'calls' });
        expect(host.calls).toHaveLength(7);
      });

      test.each([
        ['a result', 'return "x".repeat(2000)'],
        ['a result of wide characters', 'return "漢".repeat(70_000)'],
        ['arguments', 'await mcp.a.b("x".repeat(2000))'],
      ])('script is stopped by the output limit for %s', async (_, source) => {
        expect(await limitOf(source, { limits: { outputBytes: 1_000 } })).toBe('output');
      });

      test.each([
        ['a promise that never settles', 'await new Promise(() => {})'],
        ['after its calls', 'await mcp.a.b(); await new Promise(() => {})'],
        ['after its timers', 'setTimeout(() => {}, 5); await new Promise(() => {})'],
        ['a cleared timer', 'clearInterval(setInterval(() => {}, 5)); await new Promise(() => {})'],
        ['a thenable that never calls', 'await { then() {} }'],
      ])('deadlock is detected at once: %s', async (_, source) => {
        expect(await limitOf(source)).toBe('deadlock');
      });

      test('message of a stopped script names the setting that raises the limit', async () => {
        expect(await run('for (;;);', { limits: { cpuMs: 100 } })).toMatchObject({
          message: expect.stringContaining('code.cpuMs'),
        });
      });
    });

    describe('ends', () => {
      test('aborted script ends at once, whether it computes or waits', async () => {
        const controllers = [new AbortController(), new AbortController()] as const;
        const host = new RecordingHost((): Promise<JsonValue> => {
          controllers[1].abort();
          return new Promise(() => {});
        });

        const computing = run('for (;;);', { signal: controllers[0].signal });
        setTimeout(() => controllers[0].abort(), 20);
        const waiting = run('await mcp.a.b()', { host, signal: controllers[1].signal });

        expect(await Promise.all([computing, waiting])).toEqual([
          { status: 'aborted' },
          { status: 'aborted' },
        ]);
      });

      test('script that is aborted before its start never starts', async () => {
        const host = new RecordingHost();

        const end = await run('await mcp.a.b()', { host, signal: AbortSignal.abort() });

        expect(end).toEqual({ status: 'aborted' });
        expect(host.calls).toEqual([]);
      });

      test('script leaves no state for the next script', async () => {
        await run(
          'globalThis.left = 1; Object.prototype.left = 2; Array.prototype.map = () => 3; args.left = 4',
          {
            args: {},
          },
        );

        expect(
          await value('return [typeof left, ({}).left ?? null, [1].map((x) => x), args]'),
        ).toEqual(['undefined', null, [1], null]);
      });

      test('result that arrives after the end of its script is dropped', async () => {
        let answer: (value: JsonValue) => void = () => {};
        const host = new RecordingHost(
          () => new Promise<JsonValue>((resolve) => (answer = resolve)),
        );

        await value('mcp.a.b(); return 1', { host });
        const next = value('const got = await mcp.a.b("mine"); return got');
        answer('not mine');

        expect(await next).toBe('mine');
      });

      test('crashing script does not end other scripts', async () => {
        const crash = 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)';
        const calm = 'let s = 0; for (let i = 0; i < 50; i++) s += await mcp.a.b(1); return s';

        const ends = await Promise.all(
          Array.from({ length: 6 }, (_, i) =>
            run(i % 2 === 0 ? crash : calm, { limits: { memoryBytes: 24 * MIB } }),
          ),
        );

        expect(ends.filter(({ status }) => status === 'returned')).toHaveLength(3);
        expect(ends.filter(({ status }) => status === 'stopped')).toHaveLength(3);
      });

      test('fifty concurrent scripts all complete', async () => {
        const source = 'let s = 0; for (let i = 0; i < 10; i++) s += await mcp.a.b(1); return s';

        const ends = await Promise.all(Array.from({ length: 50 }, () => run(source)));

        expect(ends).toEqual(ends.map(() => ({ status: 'returned', value: 10 })));
      }, 60_000);

      test('waiting scripts leave room for the scripts they wait for', async () => {
        const inner = new RecordingHost(() => 1);
        const host = new RecordingHost(async () => {
          const end = await run('return await mcp.a.b()', {
            host: inner,
            limits: { wallMs: 55_000 },
          });
          return end.status === 'returned' ? end.value : end.status;
        });

        const ends = await Promise.all(
          Array.from({ length: 12 }, () =>
            run('return await cap.inner()', { host, limits: { wallMs: 55_000 } }),
          ),
        );

        expect(ends).toEqual(ends.map(() => ({ status: 'returned', value: 1 })));
      }, 60_000);

      test('a thousand scripts in a row leave no process and no memory behind', async () => {
        const one = () => value('const a = await mcp.a.b([1, 2]); console.log(a); return a');
        for (let i = 0; i < 100; i++) await one();
        const before = { rss: process.memoryUsage().rss, processes: countProcesses() };

        for (let i = 0; i < 1_000; i++) await one();

        expect(countProcesses()).toBeLessThanOrEqual(before.processes);
        expect(process.memoryUsage().rss - before.rss).toBeLessThan(64 * MIB);
      }, 120_000);
    });
  });
}
