/** Scripts that wait for scripts: whatever there is of them, one of them can always go on. */
import { expect, test } from 'vitest';

import { RecordingHost, runScript } from '../../test/conformance/sandbox.js';
import { type JsonValue, type Sandbox, type SandboxEnd, silentLogger } from '../core/index.js';
import { createSandbox } from './sandbox.js';

const OUTER = 'return (await mcp.a.b()) + 1';

/** Runs scripts that each wait for one of the next depth; the deepest gives 0. */
async function runDeep(sandbox: Sandbox, deepest: number, depth = 0): Promise<JsonValue> {
  if (depth === deepest) return valueOf(await runScript(sandbox, 'return 0', { depth }));
  const host = new RecordingHost(() => runDeep(sandbox, deepest, depth + 1));
  return valueOf(await runScript(sandbox, OUTER, { host, depth }));
}

function valueOf(end: SandboxEnd): JsonValue {
  if (end.status !== 'returned') throw new Error(JSON.stringify(end));
  return end.value;
}

/** Keeps this process from hearing anything, as a machine does that has other work. */
function hearNothing(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a process whose end of a script and next readiness are heard at once is there for others', async () => {
  await using sandbox = createSandbox({ log: silentLogger });
  const host = new RecordingHost(() => {
    // Both are told while nobody listens, and come in one piece.
    setImmediate(() => hearNothing(400));
    return 1;
  });
  expect(valueOf(await runScript(sandbox, OUTER, { host }))).toBe(2);

  expect(await runDeep(sandbox, 1)).toBe(1);
});

test('as many scripts as there may be processes, each waiting for another, all come to an end', async () => {
  await using sandbox = createSandbox({ log: silentLogger, processes: 2, mostProcesses: 2 });

  const values = await Promise.all([1, 2].map(() => runDeep(sandbox, 1)));

  expect(values).toEqual([1, 1]);
  expect((await sandbox.status()).processes).toBeLessThanOrEqual(3);
});

test(
  'fifty scripts that wait for scripts that wait for scripts share few processes',
  { timeout: 60_000 },
  async () => {
    await using sandbox = createSandbox({ log: silentLogger, processes: 2, mostProcesses: 3 });

    const values = await Promise.all(Array.from({ length: 50 }, () => runDeep(sandbox, 2)));

    expect(values).toEqual(Array.from({ length: 50 }, () => 2));
  },
);

test('a script that waits for many at once gets them one after the other', async () => {
  await using sandbox = createSandbox({ log: silentLogger, processes: 2, mostProcesses: 3 });
  const source = 'return (await Promise.all([1, 2, 3, 4, 5, 6].map(() => mcp.a.b()))).length';
  const host = new RecordingHost(() => runDeep(sandbox, 1, 1));

  const both = [1, 2].map(() => runScript(sandbox, source, { host }));

  expect((await Promise.all(both)).map(valueOf)).toEqual([6, 6]);
});
