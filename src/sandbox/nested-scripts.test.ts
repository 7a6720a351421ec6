/** Scripts that wait for scripts: however many there are, one of them can always continue. */
import { expect, test } from 'vitest';

import { RecordingHost, runScript } from '../../test/conformance/sandbox.js';
import { type JsonValue, type Sandbox, type SandboxEnd, silentLogger } from '../core/index.js';
import { createSandbox } from './sandbox.js';

const OUTER = 'return (await mcp.a.b()) + 1';

/** Runs scripts that each wait for one of the next depth; the deepest returns 0. */
async function runDeep(sandbox: Sandbox, deepest: number, depth = 0): Promise<JsonValue> {
  if (depth === deepest) return valueOf(await runScript(sandbox, 'return 0', { depth }));
  const host = new RecordingHost(() => runDeep(sandbox, deepest, depth + 1));
  return valueOf(await runScript(sandbox, OUTER, { host, depth }));
}

function valueOf(end: SandboxEnd): JsonValue {
  if (end.status !== 'returned') throw new Error(JSON.stringify(end));
  return end.value;
}

/** Blocks this process, as a busy machine does. */
function hearNothing(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('sandbox process whose end and next readiness arrive in one chunk serves the next script', async () => {
  await using sandbox = createSandbox({ log: silentLogger });
  const host = new RecordingHost(() => {
    // Both messages are sent while this process is blocked, and arrive in one chunk.
    setImmediate(() => hearNothing(400));
    return 1;
  });
  expect(valueOf(await runScript(sandbox, OUTER, { host }))).toBe(2);

  expect(await runDeep(sandbox, 1)).toBe(1);
});

test('nested scripts that fill all processes and each wait for another script all finish', async () => {
  await using sandbox = createSandbox({ log: silentLogger, processes: 2, mostProcesses: 2 });

  const values = await Promise.all([1, 2].map(() => runDeep(sandbox, 1)));

  expect(values).toEqual([1, 1]);
  expect((await sandbox.status()).processes).toBeLessThanOrEqual(3);
});

test(
  'fifty scripts nested three levels deep share few processes and all finish',
  { timeout: 60_000 },
  async () => {
    await using sandbox = createSandbox({ log: silentLogger, processes: 2, mostProcesses: 3 });

    const values = await Promise.all(Array.from({ length: 50 }, () => runDeep(sandbox, 2)));

    expect(values).toEqual(Array.from({ length: 50 }, () => 2));
  },
);

test('script that starts many nested scripts at once gets all their results', async () => {
  await using sandbox = createSandbox({ log: silentLogger, processes: 2, mostProcesses: 3 });
  const source = 'return (await Promise.all([1, 2, 3, 4, 5, 6].map(() => mcp.a.b()))).length';
  const host = new RecordingHost(() => runDeep(sandbox, 1, 1));

  const both = [1, 2].map(() => runScript(sandbox, source, { host }));

  expect((await Promise.all(both)).map(valueOf)).toEqual([6, 6]);
});
