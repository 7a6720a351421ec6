/** What it costs to run untrusted scripts: starting, calling, large answers, computing. */
import { performance } from 'node:perf_hooks';
import { runInThisContext } from 'node:vm';

import { type JsonValue, type Sandbox, type SandboxHost, silentLogger } from '../src/core/index.js';
import { createSandbox } from '../src/sandbox/index.js';
import { createReport, median, type Report, type Row } from './report.js';

const MIB = 1024 * 1024;
const LIMITS = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryBytes: 512 * MIB,
  calls: 10_000,
  outputBytes: 32 * MIB,
  logLines: 100,
};
const ROWS = 200_000;
/** Filter, map and reduce over rows, as a script would write it. */
const WORK = `
  const rows = JSON.parse(text);
  const kept = rows.filter((row) => row.value % 3 !== 0 && row.name.length > 3);
  const named = kept.map((row) => ({ id: row.id, label: row.name + '-' + row.value }));
  const sum = kept.reduce((total, row) => total + row.value, 0);
  return named.length + sum;`;

export async function run(): Promise<Report> {
  await using sandbox = createSandbox({ log: silentLogger });
  const cold = await time(() => sandbox.warmUp());
  const rows: Row[] = [
    { name: 'first process, cold', value: cold, unit: 'ms' },
    await measureStart(sandbox),
    ...(await measureCalls(sandbox)),
    await measureLargeAnswer(sandbox),
    ...(await measureOperations(sandbox)),
    await measureWork(sandbox),
    ...(await measureMany(sandbox)),
    await measureLoop(sandbox),
  ];
  return createReport('sandbox', rows);
}

async function measureStart(sandbox: Sandbox): Promise<Row> {
  const times: number[] = [];
  for (let i = 0; i < 60; i++) {
    times.push(await time(() => value(sandbox, 'return 1')));
    // Scripts rarely follow each other at once; the pause lets the sandbox prepare the next guest.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { name: 'empty script, warm', value: median(times), unit: 'ms', n: times.length };
}

async function measureCalls(sandbox: Sandbox): Promise<readonly Row[]> {
  const calls = 1_000;
  const sequential = `for (let i = 0; i < ${calls}; i++) await mcp.a.b({ i })`;
  const parallel = `await Promise.all(Array.from({ length: ${calls} }, (_, i) => mcp.a.b({ i })))`;
  const one = await repeat(7, () => time(() => value(sandbox, sequential)));
  const all = await repeat(7, () => time(() => value(sandbox, parallel)));
  return [
    {
      name: 'a call there and back',
      value: median(one) / calls,
      unit: 'ms',
      n: one.length * calls,
    },
    { name: `${calls} calls at once`, value: median(all), unit: 'ms', n: all.length },
  ];
}

async function measureLargeAnswer(sandbox: Sandbox): Promise<Row> {
  const answer = tenMegabytes();
  const host: SandboxHost = {
    ...ECHO,
    call: async () => ({ ok: true, value: answer, now: 1 }),
  };
  const source = 'const got = await mcp.a.b(); return got.length';
  const times = await repeat(7, () => time(() => value(sandbox, source, { host })));
  return { name: 'an answer of 10 MB', value: median(times), unit: 'ms', n: times.length };
}

/** A loop of small operations, plain and with each operation reported. */
async function measureOperations(sandbox: Sandbox): Promise<readonly Row[]> {
  const loop = (body: string) =>
    `const list = [1, 2, 3, 4, 5]; let n = 0; for (let i = 0; i < 50_000; i++) n += ${body}.length; return n`;
  const plain: number[] = [];
  const told: number[] = [];
  for (let i = 0; i < 5; i++) {
    plain.push(await time(() => value(sandbox, loop('list.map((x) => x + i)'))));
    told.push(await time(() => value(sandbox, loop('__op(1, list, "map", (x) => x + i)'))));
  }
  const ratio = median(told.map((ms, i) => ms / (plain[i] ?? NaN)));
  return [
    { name: '50,000 small operations', value: median(plain), unit: 'ms', n: 5 },
    { name: '50,000 small operations, reported', value: median(told), unit: 'ms', ratio, n: 5 },
  ];
}

async function measureWork(sandbox: Sandbox): Promise<Row> {
  const text = JSON.stringify(
    Array.from({ length: ROWS }, (_, id) => ({ id, name: `row ${id}`, value: (id * 7) % 1000 })),
  );
  // The same text, in the same way, in this process.
  const plain = runInThisContext(`(function (text) {${WORK}})`) as (text: string) => number;
  const source = `const { text } = args;${WORK}`;
  const inside: number[] = [];
  const ratios: number[] = [];
  for (let i = 0; i < 5; i++) {
    const here = await time(async () => plain(text));
    const there = await time(() => value(sandbox, source, { args: { text } }));
    inside.push(there);
    ratios.push(there / here);
  }
  return {
    name: `filter, map, reduce over ${ROWS.toLocaleString('en')} rows, against plain Node`,
    value: median(inside),
    unit: 'ms',
    ratio: median(ratios),
    n: inside.length,
  };
}

/** Fifty scripts started together, ten calls each: when the first and the last of them end. */
async function measureMany(sandbox: Sandbox): Promise<readonly Row[]> {
  const source = 'let s = 0; for (let i = 0; i < 10; i++) s += (await mcp.a.b({ i })).i; return s';
  const start = performance.now();
  const ends = await Promise.all(
    Array.from({ length: 50 }, async () => {
      await value(sandbox, source);
      return performance.now() - start;
    }),
  );
  return [
    { name: '50 scripts at once: half of them', value: median(ends), unit: 'ms', n: 50 },
    { name: '50 scripts at once: the last', value: Math.max(...ends), unit: 'ms' },
  ];
}

/** How long after its time limit the sandbox ends an endless loop. */
async function measureLoop(sandbox: Sandbox): Promise<Row> {
  const limits = { ...LIMITS, wallMs: 300, cpuMs: 10_000 };
  const late: number[] = [];
  for (let i = 0; i < 15; i++) {
    // A script that was killed from outside took its process with it.
    await value(sandbox, 'return 1');
    const took = await time(() =>
      sandbox.run({ source: 'for (;;) {}', args: null, seed: 1, now: 1 }, ECHO, {
        limits,
        signal: new AbortController().signal,
      }),
    );
    late.push(took - limits.wallMs);
  }
  return { name: 'an endless loop, after its limit', value: median(late), unit: 'ms', n: 15 };
}

const ECHO: SandboxHost = {
  call: async ({ args }) => ({ ok: true, value: args, now: 1 }),
  log() {},
  operated() {},
  waitUntil: async () => {},
};

async function value(
  sandbox: Sandbox,
  source: string,
  { host = ECHO, args = null }: { host?: SandboxHost; args?: JsonValue } = {},
): Promise<JsonValue> {
  const options = { limits: LIMITS, signal: new AbortController().signal };
  const end = await sandbox.run({ source, args, seed: 1, now: 1 }, host, options);
  if (end.status !== 'returned') throw new Error(`a script ended with ${JSON.stringify(end)}`);
  return end.value;
}

function tenMegabytes(): JsonValue {
  const row = (id: number) => ({
    id,
    name: `name ${id}`,
    email: `user${id}@example.com`,
    tags: ['red', 'green', 'blue'],
    score: id * 1.5,
    text: 'The quick brown fox jumps over the lazy dog, again and again.',
  });
  const all: JsonValue[] = [];
  for (let bytes = 0; bytes < 10_000_000;) {
    const next = row(all.length);
    bytes += JSON.stringify(next).length + 1;
    all.push(next);
  }
  return all;
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function repeat<T>(times: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let i = 0; i < times; i++) results.push(await act());
  return results;
}
