/** Scripts that exceed a limit: each ends with that limit and disturbs no other client. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCode, scriptServers } from '../helpers/code-client.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

let workspace: Workspace;
let client: PmlClient;
let daemon: number | undefined;

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  workspace.configure({
    embedding: 'none',
    code: {
      timeoutMs: 20_000,
      cpuMs: 2_000,
      memoryBytes: 64_000_000,
      calls: 50,
      outputBytes: 200_000,
      logLines: 20,
      processes: 2,
    },
    mcpServers: scriptServers({ root: workspace.path, ledger: 'ledger' }),
  });
  client = await workspace.connect();
  await runCode(client, `await mcp.talk.echo({ text: 'warm' })`);
  daemon = workspace.daemonPid();
});

afterAll(() => workspace[Symbol.asyncDispose]());

const BOMBS: readonly (readonly [string, string, RegExp])[] = [
  ['an endless loop', 'while (true) {}', /computed for longer than 2000 ms|took longer/],
  [
    'an endless loop of awaits',
    'while (true) await null;',
    /computed for longer than 2000 ms|took longer/,
  ],
  [
    'memory without end',
    'const all = []; while (true) all.push(new Array(10000).fill(1));',
    /more than 61 MiB of memory/,
  ],
  ['a text without end', `let text = 'x'; while (true) text += text;`, /MiB of memory/],
  [
    'a promise that never settles',
    'await new Promise(() => {});',
    /promise that nothing can settle/,
  ],
  [
    'endless recursion',
    'const dive = (n) => dive(n + 1) + 1; return dive(0);',
    /nested function calls too deep/,
  ],
  [
    'more calls than allowed',
    `for (let i = 0; i < 60; i++) await mcp.talk.echo({ text: 'x' });`,
    /more than 50 calls/,
  ],
  ['a result too long', `return 'x'.repeat(300000);`, /exceeded 200000 bytes/],
];

/** The peak memory of a process, in bytes. */
function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

// covers: CODE-CONTAINED
describe('scripts that exceed a limit', () => {
  test.each(BOMBS)(
    'script with %s ends with its limit; the daemon continues',
    async (_what, code, words) => {
      const { status, error } = await runCode(client, code);

      expect(status).toBe('failed');
      expect(error?.code).toBe('CODE_STOPPED');
      expect(error?.message).toMatch(words);
      expect(workspace.daemonPid()).toBe(daemon);
      expect((await runCode(client, `return await mcp.talk.echo({ text: 'on' })`)).result).toBe(
        'on',
      );
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'script that allocates gigabytes does not grow the memory of the daemon',
    async () => {
      const before = peakOf(daemon);
      const ends = await Promise.all(
        Array.from({ length: 4 }, () =>
          runCode(client, 'const all = []; for (;;) all.push(new Uint8Array(2 ** 30).fill(1));'),
        ),
      );

      expect(ends.map(({ status }) => status)).toEqual(Array.from(ends, () => 'failed'));
      expect(workspace.daemonPid()).toBe(daemon);
      expect(peakOf(daemon) - before).toBeLessThan(200_000_000);
    },
  );

  test('script that runs out of time during a call is stopped, and the call is cancelled', async () => {
    const { error } = await runCode(client, 'await mcp.talk.wait({})', { timeout_ms: 300 });

    expect(error?.code).toBe('CODE_STOPPED');
    expect(error?.message).toMatch(/took longer than 300 ms/);
    await expect
      .poll(async () => (await runCode(client, 'return await mcp.talk.cancelled({})')).result)
      .toBeGreaterThan(0);
  });

  test('script that prints too much keeps its first lines and says that lines are dropped', async () => {
    const { status, logs = '' } = await runCode(
      client,
      `for (let i = 0; i < 500; i++) console.log('line ' + i); return 1`,
    );

    const lines = logs.split('\n');
    expect(status).toBe('completed');
    expect(lines.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => `line ${i}`));
    expect(lines.slice(20).join(' ')).toMatch(/lines are dropped/);
  });

  test('script in an endless loop does not delay other clients', async () => {
    const other = await workspace.connect();
    const looping = runCode(client, 'while (true) {}');
    let hasEnded = false;
    void looping.finally(() => (hasEnded = true));
    await delay(100);

    const ping = await other.request('ping');
    const call = await runCode(other, `return await mcp.talk.echo({ text: 'meanwhile' })`);

    expect(hasEnded, 'the loop was over before anything was asked').toBe(false);
    expect(ping.error).toBeUndefined();
    expect(call.result).toBe('meanwhile');
    expect((await looping).error?.code).toBe('CODE_STOPPED');
  });

  test('scripts beyond the process limit wait for their turn and complete', async () => {
    const codes = Array.from(
      { length: 8 },
      (_, i) => `return await mcp.talk.echo({ text: 'n${i}' })`,
    );

    const told = await Promise.all(codes.map((code) => runCode(client, code)));

    expect(told.map(({ result }) => result)).toEqual(codes.map((_, i) => `n${i}`));
  });
});
