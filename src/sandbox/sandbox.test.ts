import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { describeSandbox, RecordingHost, runScript } from '../../test/conformance/sandbox.js';
import { silentLogger } from '../core/index.js';
import { createSandbox } from './sandbox.js';

const isLinux = process.platform === 'linux';

function childrenOf(pid: number): readonly number[] {
  if (!isLinux) return [];
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describeSandbox('processes', () => createSandbox({ log: silentLogger }), {
  countProcesses: () => childrenOf(process.pid).length,
});

describe('processes of the sandbox', () => {
  test('Node itself keeps them from files, and the status says so', async () => {
    await using sandbox = createSandbox({ log: silentLogger });

    expect(await sandbox.status()).toMatchObject({
      protections: { nodePermissions: true },
      isWatched: isLinux,
      processes: 0,
    });
  });

  test.runIf(isLinux)('they have no environment, and no file open but their pipes', async () => {
    await using sandbox = createSandbox({ log: silentLogger, bubblewrap: false });
    const before = new Set(childrenOf(process.pid));
    await sandbox.warmUp();
    const pid = childrenOf(process.pid).find((one) => !before.has(one));

    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/--(experimental-)?permission/);
  });

  test.runIf(isLinux)('closing ends all of them, also one that computes', async () => {
    const before = new Set(childrenOf(process.pid));
    const sandbox = createSandbox({ log: silentLogger });
    const busy = runScript(sandbox, 'for (;;);', { limits: { cpuMs: 60_000, wallMs: 60_000 } });
    await sandbox.warmUp();
    const started = childrenOf(process.pid).filter((pid) => !before.has(pid));

    await sandbox[Symbol.asyncDispose]();

    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(isAlive)).toEqual([]);
    expect(await busy).toMatchObject({ status: 'stopped', limit: 'crash' });
    expect(await runScript(sandbox, 'return 1')).toMatchObject({ status: 'stopped' });
  });

  test('closing twice, or before anything was started, is harmless', async () => {
    const sandbox = createSandbox({ log: silentLogger });

    await sandbox[Symbol.asyncDispose]();

    await expect(sandbox[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  test.runIf(isLinux)('one that is killed from outside ends its script only', async () => {
    await using sandbox = createSandbox({ log: silentLogger });
    await sandbox.warmUp();
    const before = new Set(childrenOf(process.pid));
    const host = new RecordingHost(() => {
      for (const pid of childrenOf(process.pid)) if (!before.has(pid)) process.kill(pid, 'SIGKILL');
      return new Promise(() => {});
    });
    let goOn = () => {};
    const calm = new RecordingHost(() => new Promise((resolve) => (goOn = () => resolve(1))));

    const other = runScript(sandbox, 'return await mcp.a.b()', { host: calm });
    const killed = await runScript(sandbox, 'await mcp.a.b()', { host });
    goOn();

    expect(killed).toMatchObject({ status: 'stopped', limit: 'crash' });
    expect(await other).toEqual({ status: 'returned', value: 1 });
    expect(await runScript(sandbox, 'return 2')).toEqual({ status: 'returned', value: 2 });
  });

  test('no more of them compute than there may be, and those beyond the warm ones end', async () => {
    await using sandbox = createSandbox({
      log: silentLogger,
      processes: 2,
      mostProcesses: 2,
      idleMs: 50,
    });

    const ends = Promise.all(Array.from({ length: 6 }, () => runScript(sandbox, 'return 1')));
    await expect.poll(async () => (await sandbox.status()).processes).toBe(2);

    expect((await ends).every(({ status }) => status === 'returned')).toBe(true);
    await expect.poll(async () => (await sandbox.status()).processes).toBe(1);
  });

  test('what computes without being interruptible is ended from outside', async () => {
    await using sandbox = createSandbox({ log: silentLogger });
    const source = 'return "a".repeat(4e6).indexOf("a".repeat(2e6) + "b")';

    const end = await runScript(sandbox, source, { limits: { cpuMs: 200, wallMs: 6_000 } });

    expect(end).toMatchObject({ status: 'stopped' });
    expect(await runScript(sandbox, 'return 1')).toEqual({ status: 'returned', value: 1 });
  });

  test.runIf(isLinux)(
    'they do not outlive the process that started them, however it ends',
    async () => {
      const program = fileURLToPath(
        new URL('../../test/fixtures/sandbox-parent.ts', import.meta.url),
      );
      const parent = spawn(process.execPath, ['--import', 'tsx', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(createInterface(parent.stdout), 'line');
      const started = childrenOf(parent.pid as number);

      parent.kill('SIGKILL');

      expect(started.length).toBeGreaterThanOrEqual(2);
      await expect.poll(() => started.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    },
  );
});
