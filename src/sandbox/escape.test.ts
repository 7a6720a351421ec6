/**
 * Attempts to get out, each with something to find: a file, a variable of the environment, a socket
 * that listens, and the host's own objects. The same probe in `node:vm` finds all of them, which
 * shows that they can be found.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { RecordingHost, runScript } from '../../test/conformance/sandbox.js';
import { type SandboxEnd, silentLogger } from '../core/index.js';
import { createSandbox, type ProcessSandbox } from './sandbox.js';

const SECRET = 'canary-5f1c9e';
const VARIABLE = 'PML_ESCAPE_CANARY';
const folder = mkdtempSync(join(tmpdir(), 'pml-escape-'));
const file = join(folder, 'canary.txt');
let sandbox: ProcessSandbox;
let server: Server;
let connections = 0;
let port = 0;

beforeAll(async () => {
  writeFileSync(file, SECRET);
  process.env[VARIABLE] = SECRET;
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.end(SECRET, () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
  sandbox = createSandbox({ log: silentLogger });
  await sandbox.warmUp();
}, 60_000);

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  delete process.env[VARIABLE];
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

/**
 * What an attempt does with something that may be the host's: looks for a way to Node in it, and
 * uses it. Found things are returned and also put where the host would see them.
 */
const probe = () => `
const found = [];
const note = (what) => { found.push(String(what)); };
const seen = new Set();
const useProcess = (p) => {
  try { if (p?.env?.${VARIABLE}) note('environment ' + p.env.${VARIABLE}); } catch {}
  let require = undefined;
  try { require = p?.mainModule?.require ?? p?.getBuiltinModule; } catch {}
  try { const fs = p.binding('fs'); if (fs) note('binding'); } catch {}
  useRequire(require);
};
const useRequire = (require) => {
  if (typeof require !== 'function') return;
  try { note('file ' + require('fs').readFileSync(${JSON.stringify(file)}, 'utf8')); } catch {}
  try { require('net').connect(${port}, '127.0.0.1').on('error', () => {}); note('socket'); } catch {}
};
const look = (thing, depth = 0) => {
  if (thing === null || (typeof thing !== 'object' && typeof thing !== 'function')) return;
  if (seen.has(thing) || depth > 4) return;
  seen.add(thing);
  for (const key of ['constructor', '__proto__', 'prototype', 'caller', 'callee', 'arguments', 'process', 'global', 'mainModule', 'constructor']) {
    let next; try { next = thing[key]; } catch { continue; }
    look(next, depth + 1);
  }
  if (typeof thing === 'function') {
    for (const code of ['return process', 'return globalThis.process', 'return this.process']) {
      try { useProcess(thing(code)()); } catch {}
      try { useProcess(thing.constructor(code)()); } catch {}
    }
    try { useRequire(thing('return require')()); } catch {}
    try { useRequire(thing('return typeof require === "undefined" ? undefined : require')()); } catch {}
  }
};
`;

const attempt = (body: string) => `${probe()}\n${body}\nreturn found;`;

/** Whether anything in what a script left behind shows that it got out. */
function hasEscaped(end: SandboxEnd, host: RecordingHost): boolean {
  const told = JSON.stringify([end, host.calls, host.lines, host.operations]);
  const isPolluted = 'polluted' in {} || 'polluted' in [] || 'polluted' in (() => {});
  const returned = end.status === 'returned' && Array.isArray(end.value) && end.value.length > 0;
  return told.includes(SECRET) || connections > 0 || isPolluted || returned;
}

const ATTEMPTS: Readonly<Record<string, string>> = {
  // Globals.
  'the global object': 'look(globalThis); look(this);',
  'this of a plain function': 'look((function () { return this })());',
  'a global process': 'try { useProcess(process) } catch {}',
  'a global require': 'try { useRequire(require) } catch {}',
  'a module object': 'try { useRequire(module.require) } catch {} try { look(exports) } catch {}',
  'every global there is':
    'for (const k of Object.getOwnPropertyNames(globalThis)) look(globalThis[k]);',
  'every symbol of the global object':
    'for (const k of Object.getOwnPropertySymbols(globalThis)) look(globalThis[k]);',
  'fetch and friends':
    'for (const n of ["fetch", "WebSocket", "XMLHttpRequest", "EventSource", "Deno", "Bun", "std", "os", "bjson", "print", "scriptArgs", "Worker", "importScripts"]) if (typeof globalThis[n] !== "undefined") note(n);',
  // Constructors.
  Function:
    'useProcess(Function("return typeof process === \'undefined\' ? undefined : process")());',
  'the constructor of a function': 'look((() => {}).constructor);',
  AsyncFunction:
    'try { useProcess(await (async () => {}).constructor("return process")()) } catch {}',
  GeneratorFunction:
    'try { useProcess((function* () {}).constructor("return process")().next().value) } catch {}',
  AsyncGeneratorFunction:
    'try { useProcess((await (async function* () {}).constructor("return process")().next()).value) } catch {}',
  'the constructor of a constructor':
    'look([].constructor.constructor); look("".constructor.constructor); look((1).constructor.constructor);',
  'constructors of built-ins':
    'for (const v of [/x/, new Date(), new Map(), Symbol(), 1n, new Proxy({}, {}), Promise.resolve(), new Uint8Array(1), new Error()]) look(v.constructor.constructor);',
  'Reflect.construct with a foreign target':
    'try { useProcess(Reflect.construct(Function, ["return process"], mcp.a.b)()) } catch {}',
  'a subclass of Function':
    'class F extends Function {} try { useProcess(new F("return process")()) } catch {}',
  // Evaluation.
  'direct eval': 'try { useProcess(eval("process")) } catch {}',
  'indirect eval': 'try { useProcess((0, eval)("process")) } catch {}',
  'eval that ends the wrapper':
    'try { eval("}); look(globalThis); (async function () {") } catch {}',
  'a source that ends the wrapper':
    '}); (function () { globalThis.out = typeof process; })(); (async function () { const found = globalThis.out === "undefined" ? [] : [globalThis.out];',
  'a source that comments the wrapper out': 'return found; /*',
  'dynamic import of a built-in':
    'for (const m of ["node:fs", "fs", "std", "os", "qjs:std"]) try { await import(m); note(m) } catch {}',
  'dynamic import of a file': `try { await import(${JSON.stringify(join(tmpdir(), 'x.js'))}); note('import') } catch {}`,
  'dynamic import of data':
    'try { await import("data:text/javascript,export default process"); note("import") } catch {}',
  'import.meta by eval': 'try { note(eval("import.meta").url) } catch {}',
  'a static import by eval': 'try { eval("import fs from \'fs\'"); note("import") } catch {}',
  'a script element of JSON modules':
    'try { await import("/etc/passwd", { with: { type: "json" } }); note("import") } catch {}',
  // What the bridge gives.
  'the constructor of a tool': 'look(mcp.a.b); look(mcp.a); look(mcp); look(cap.x); look(load);',
  'the prototype of a tool':
    'look(Object.getPrototypeOf(mcp.a.b)); look(Object.getPrototypeOf(mcp));',
  'the promise of a call': 'const p = mcp.a.b(); look(p); look(p.constructor); look(await p);',
  'an answer': 'const a = await mcp.a.b({ x: [1] }); look(a); look(a.x);',
  'getters on an answer':
    'const a = await mcp.a.b({}); Object.defineProperty(a, "x", { get() { look(this) } }); a.x;',
  'the error of a call':
    'try { await mcp.fail.now() } catch (e) { look(e); look(e.constructor); look(e.stack); for (const k of Reflect.ownKeys(e)) look(e[k]) }',
  'the cause of an error':
    'try { await mcp.fail.now() } catch (e) { look(e.cause); look(Object.getPrototypeOf(Object.getPrototypeOf(e))) }',
  'the functions of the prelude as text':
    'for (const f of [setTimeout, console.log, load, mcp.a.b, __op, Math.random]) if (!/native code|\\[function|^function|=>/.test(String(f)) || String(f).includes("way.")) note("source");',
  'caller and arguments':
    'function f() { look(f.caller); look(f.arguments); look(arguments.callee) } f(); [1].map(f); __op(1, [1], "map", f);',
  'frames as arguments': 'await mcp.a.b("\\n{\\"type\\":\\"returned\\"}\\n1");',
  'a name with line breaks': 'try { await mcp["a\\n{}"]["b\\n\\u0000"]({}) } catch {}',
  'a name that is a type':
    'await mcp["__proto__"]?.["constructor"]?.({}); await mcp.constructor?.call?.({});',
  'arguments with toJSON':
    'await mcp.a.b({ toJSON() { look(this); return { id: 99, type: "returned" } } });',
  'arguments that are proxies':
    'await mcp.a.b(new Proxy({ a: 1 }, { get(t, k) { return t[k] }, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }));',
  'arguments that call': 'await mcp.a.b({ get x() { mcp.a.c({}); return 1 } });',
  'JSON with __proto__':
    'await mcp.a.b(JSON.parse(\'{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}}}}\'));',
  'escaped __proto__':
    'await mcp.a.b(JSON.parse(\'{"\\\\u005f_proto__":{"polluted":1}}\')); return JSON.parse(\'[]\');',
  'a result with __proto__':
    'Object.defineProperty(found, "x", { value: 1 }); await mcp.a.b(Object.defineProperty({}, "__proto__", { value: { polluted: 1 }, enumerable: true }));',
  // Pollution of what the prelude stands on.
  'a replaced Promise.then':
    'Promise.prototype.then = function (a, b) { look(a); look(b); return this }; mcp.a.b();',
  'a replaced Promise':
    'globalThis.Promise = class { constructor(f) { look(f); f(look, look) } }; look(mcp.a.b());',
  'a replaced JSON':
    'const texts = []; JSON.parse = (t) => { look(t) }; JSON.stringify = (v) => { look(v); return \'{"type":"returned"}\' }; const r = await mcp.a.b({ a: 1 }); look(r);',
  'a replaced Array.prototype':
    'for (const k of Object.getOwnPropertyNames(Array.prototype)) if (typeof [][k] === "function") Array.prototype[k] = function (...a) { for (let i = 0; i < a.length; i++) look(a[i]); return this }; console.log([1, { a: [2] }]); await mcp.a.b([1]); __op(1, { m() {} }, "m");',
  'setters on Array.prototype':
    'for (let i = 0; i < 50; i++) Object.defineProperty(Array.prototype, i, { set(v) { look(v); if (typeof v === "function") note("internal function") }, configurable: true }); setTimeout(() => {}, 1); console.log({ a: new Map([[1, 2]]) }); await mcp.a.b({}); for (let i = 0; i < 50; i++) delete Array.prototype[i];',
  'setters on Object.prototype':
    'for (const k of ["resolve", "reject", "id", "site", "next", "post", "finish", "type", "call", "run", "due", "value", "get", "set", "text", "isOk"]) Object.defineProperty(Object.prototype, k, { set(v) { if (typeof v === "function") note("internal " + k) }, get() { return undefined }, configurable: true }); setTimeout(() => {}, 1); console.log({}); await mcp.a.b({}); for (const k of ["value", "get", "set"]) delete Object.prototype[k];',
  'a replaced Map':
    'for (const k of ["get", "set", "delete", "forEach"]) Map.prototype[k] = function (...a) { look(this); if (this instanceof Map && this.size > 0) note("internal map") }; mcp.a.b({}); setTimeout(() => {}, 1); await Promise.resolve();',
  'a replaced Reflect':
    'for (const k of Reflect.ownKeys(Reflect)) try { Reflect[k] = (...a) => { note("reflect " + k) } } catch {} console.log({ a: 1 }); await mcp.a.b({});',
  'a replaced Object.defineProperty':
    'Object.defineProperty = () => { note("defineProperty") }; Object.freeze = () => { note("freeze") }; try { await mcp.fail.now() } catch {} ',
  'a replaced Symbol.iterator':
    'Array.prototype[Symbol.iterator] = function* () { note("iterator") }; console.log([1], new Set([1])); await mcp.a.b([1]); found.length = 0;',
  'a replaced Error':
    'globalThis.Error = class { constructor() { note("Error") } }; mcp.a.b(); try { await mcp.fail.now() } catch {}',
  'a replaced String.prototype':
    'for (const k of ["slice", "indexOf", "padStart", "toString"]) String.prototype[k] = function () { note("text " + k) }; console.log("a", { b: "c" }); crypto.randomUUID(); await mcp.a.b({});',
  'a replaced RegExp.exec':
    'RegExp.prototype.exec = () => { note("exec") }; console.log(new Error("x")); RegExp.prototype.test = () => { note("test") }; console.log({ a: 1 });',
  'a replaced console and op':
    '"use strict"; for (const [o, k] of [[console, "log"], [globalThis, "console"], [globalThis, "mcp"], [globalThis, "__op"], [globalThis, "cap"]]) { try { o[k] = () => note("replaced") } catch {} try { Object.defineProperty(o, k, { value: () => note("replaced") }); note("defined " + k) } catch {} }',
  'changing a tool':
    'try { mcp.a.b.call = 1; Object.defineProperty(mcp.a, "b", { value: 1 }); note("changed") } catch {} try { Object.setPrototypeOf(mcp, { x: 1 }); note("changed") } catch {}',
  // Errors and stacks.
  'Error.prepareStackTrace':
    'try { Error.prepareStackTrace = (e, sites) => { for (const s of sites) { look(s); look(s.getThis?.()); look(s.getFunction?.()); note("sites") } } } catch {} new Error().stack; console.log({ toString() { return new Error().stack } }); __op(1, [1], "map", () => new Error().stack);',
  'prepareStackTrace by definition':
    'try { Object.defineProperty(Error, "prepareStackTrace", { value: () => note("sites") }) } catch {} new Error().stack; try { null.x } catch (e) { e.stack }',
  captureStackTrace:
    'const o = {}; Error.captureStackTrace?.(o); if (/node:|file:/.test(String(o.stack))) note(o.stack);',
  'a stack overflow in the bridge':
    'const f = () => { try { f() } catch { mcp.a.b({}) } }; try { f() } catch (e) { look(e); if (/wasm|node|file:/.test(String(e.stack))) note(e.stack) }',
  'a stack overflow in a callback':
    'const f = () => __op(1, [1], "map", f); try { f() } catch (e) { look(e); if (/wasm|node|file:/.test(String(e.stack))) note(e.stack) }',
  'memory that runs out in the bridge':
    'const keep = []; try { for (;;) keep.push("x".repeat(1e5) + keep.length) } catch (e) { look(e) } try { await mcp.a.b(keep) } catch (e) { look(e) } keep.length = 0;',
  // Asynchrony.
  thenables: 'await { then(resolve, reject) { look(resolve); look(reject); resolve(1) } };',
  'async stacks':
    'const e = await (async () => { await null; return new Error("x") })(); if (/node:|file:|\\/src\\//.test(e.stack)) note(e.stack);',
  'a promise whose constructor lies':
    'const p = mcp.a.b({}); p.constructor = { [Symbol.species]: function (f) { look(f); f(look, look) } }; p.then(() => {}); __op(1, { m: () => p }, "m");',
  'an async iterator':
    'for await (const x of { [Symbol.asyncIterator]() { return { next: async () => ({ done: true, value: look(this) }) } } });',
  'calls after the end':
    'Promise.resolve().then(() => Promise.resolve()).then(() => { for (let i = 0; i < 5; i++) mcp.a.late({}) });',
  // Low level.
  WebAssembly: 'if (typeof WebAssembly !== "undefined") note("WebAssembly");',
  SharedArrayBuffer:
    'if (typeof SharedArrayBuffer !== "undefined" || typeof Atomics !== "undefined") note("shared memory");',
  'a buffer beyond its end':
    'const v = new DataView(new ArrayBuffer(8)); for (const i of [-1, 8, 2 ** 31, 2 ** 32, NaN]) try { note(v.getUint32(i)) } catch {} found.length = 0; const u = new Uint8Array(8); if (u[8] !== undefined || u[-1] !== undefined) note("out of bounds");',
  'a buffer that shrinks while it is read':
    'const b = new ArrayBuffer(64, { maxByteLength: 128 }); const u = new Uint32Array(b); try { u.fill({ valueOf() { b.resize(0); return 1 } }) } catch {} try { u.set({ length: 16, get 0() { b.resize(8); return 1 } }) } catch {} try { structuredClone(u) } catch {}',
  'a detached buffer':
    'const b = new ArrayBuffer(8); const u = new Uint8Array(b); try { structuredClone(b, { transfer: [b] }) } catch {} try { b.transfer?.() } catch {} if (u[0] !== undefined && u.length === 0) note("freed");',
  'a sort that changes its array':
    'const a = [3, 2, 1]; a.sort((x, y) => { a.length = 0; return x - y }); const t = new Float64Array(64); try { t.sort(() => { t.fill(NaN); return 1 }) } catch {}',
  'finalizers and weak references':
    'if (typeof WeakRef === "function" || typeof FinalizationRegistry === "function") note("collector");',
  timing:
    'const t = performance.now(); const d = Date.now(); for (let i = 0; i < 2e5; i++); if (performance.now() !== t || Date.now() !== d) note("clock");',
  'the zone of the machine': 'if (new Date().getTimezoneOffset() !== 0) note("zone");',
  'huge texts':
    'try { "x".repeat(2 ** 30 - 1) } catch {} try { "x".padEnd(2 ** 30) } catch {} try { new Array(2 ** 28).join("ab") } catch {}',
  'bytecode and the engine':
    'for (const n of ["bjson", "qjs", "__loadScript", "gc", "navigator", "Bytecode"]) if (typeof globalThis[n] !== "undefined") note(n);',
  'URL and other extensions':
    'for (const f of [URL, URLSearchParams, TextDecoder, structuredClone]) look(f); try { new URL("file:///etc/passwd"); await import(new URL("file:///etc/passwd").href); note("import") } catch {}',
  'structuredClone of everything':
    'for (const v of [mcp, console, globalThis, load, new Error("x"), () => 1]) try { look(structuredClone(v)) } catch {}',
  'a Function by toString tricks':
    'try { useProcess(Function("/*", "*/){return process")()) } catch {} try { useProcess(Function("a = process", "return a")()) } catch {}',
  'with and unscopables':
    'try { Function("o", "with (o) { return process }")(new Proxy({}, { has: (t, k) => { note("never " + String(k)); return false } })) } catch {} found.length = 0;',
  'flooding the log': 'for (let i = 0; i < 2e4; i++) console.log("x".repeat(100));',
  'flooding operations': 'for (let i = 0; i < 2e4; i++) __op(i, [1], "map", (x) => x);',
  'odd operations':
    'for (const s of [NaN, -1, {}, "x", null, Symbol("s"), 2 ** 60]) try { __op(s, [1], "map", (x) => x) } catch {} try { __op(1, Function, "constructor", "return process") } catch {}',
};

describe('attempts to get out of the sandbox', () => {
  test('there are enough of them', () => {
    expect(Object.keys(ATTEMPTS).length).toBeGreaterThanOrEqual(60);
  });

  test.each(Object.entries(ATTEMPTS))('%s', async (_, body) => {
    const host = new RecordingHost(({ name, args }) => {
      if (name === 'fail:now') throw new Error('it failed');
      return args;
    });

    const end = await runScript(sandbox, attempt(body), {
      host,
      limits: { cpuMs: 2_000, wallMs: 8_000 },
    });

    expect({ end, hasEscaped: hasEscaped(end, host) }).toMatchObject({ hasEscaped: false });
    expect(host.calls.every(({ id }, index) => id === index + 1)).toBe(true);
    expect(await runScript(sandbox, 'return 1')).toEqual({ status: 'returned', value: 1 });
  });
});

describe('the same probe where nothing holds it', () => {
  test('node:vm is left through a constructor, and file, variable and socket are found', async () => {
    const before = connections;
    const context = { host: { process } };
    const source = `(function () { ${probe()} look(host); useProcess(host.constructor.constructor('return process')()); return found })()`;

    const found = runInNewContext(source, context) as string[];

    expect(found.join('\n')).toContain(`environment ${SECRET}`);
    expect(found.join('\n')).toContain(`file ${SECRET}`);
    await expect.poll(() => connections).toBeGreaterThan(before);
    connections = before;
  });

  test('a finding in an end, a call or a line would be noticed', () => {
    const host = new RecordingHost();
    host.log({ level: 'info', text: `it says ${SECRET}` });

    expect(hasEscaped({ status: 'returned', value: ['anything'] }, new RecordingHost())).toBe(true);
    expect(hasEscaped({ status: 'aborted' }, host)).toBe(true);
    expect(hasEscaped({ status: 'returned', value: [] }, new RecordingHost())).toBe(false);
  });
});
