/** Runs whose journal has no space left: it is on a tiny file system of its own. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { createCounter, execute, firstText, goOn, runOf } from '../helpers/counter.js';
import type { PmlClient } from '../helpers/pml-client.js';
import { killIfAlive, type Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const MOUNT = 'mount -t tmpfs -o size=512k none "$1" && shift && exec "$@"';

const canMount =
  spawnSync('unshare', ['-rm', 'sh', '-c', MOUNT, 'sh', '/mnt', 'true']).status === 0;

/** More than fits into what is left of the last page that the journal has. */
const LONG = 'x'.repeat(20_000);

// covers: RUN-DISK-FULL
test.skipIf(!canMount)(
  `a full disk stops runs before anything unrecorded is called, and they go on when there is space${
    canMount ? '' : ' (skipped: unshare cannot mount here)'
  }`,
  async () => {
    await using counter = await createCounter();
    const { workspace } = counter;
    const small = join(workspace.dataDir, 'journal');
    mkdirSync(small, { recursive: true });
    const client = await connectOn(workspace, small);
    const append = (id: string, rest: object = {}) => ({
      id,
      tool: 'one:append',
      args: { key: id, ...rest },
    });
    await execute(client, [append('warm-1'), append('warm-2')]);

    // Full before it begins: nothing is called.
    fill(workspace, small);
    const refused = await execute(client, [append('a', { after: LONG }), append('b')]);
    expect(refused.result?.['isError']).toBe(true);
    expect(firstText(refused)).toMatch(/JOURNAL_FAILED.*[Ff]ree space/);
    expect(['a', 'b'].map(counter.timesOf)).toEqual([0, 0]);
    // A call that only reads needs no journal.
    expect(await client.text('pml_execute_workflow', { tasks: [{ tool: 'one:read' }] })).toContain(
      'warm-1 warm-2',
    );

    // Full while it runs: what cannot be written down leads to nothing.
    free(workspace, small);
    const tasks = [
      append('c', { key: LONG, afterMs: 1_500 }),
      append('d', { after: { $ref: 'c.wrote' } }),
    ];
    const answering = execute(client, tasks);
    await expect.poll(() => counter.timesOf(LONG)).toBe(1);
    fill(workspace, small);
    const broken = runOf(await answering);
    expect(broken).toMatchObject({ status: 'failed', error: { code: 'JOURNAL_FAILED' } });
    expect(counter.timesOf('d')).toBe(0);

    // A daemon that dies on a full disk finds everything that was acknowledged.
    killIfAlive(workspace.daemonPid());
    await client.request('ping');
    free(workspace, small);
    const paused = runOf(await goOn(client, broken.run, 'wait'));
    expect(paused.status).toBe('needs_decision');
    expect(paused.asks?.map(({ task }) => task)).toEqual(['c']);
    const done = runOf(await goOn(client, broken.run, 'skip', { result: { wrote: true } }));
    expect(done.status).toBe('completed');
    expect([LONG, 'd'].map(counter.timesOf)).toEqual([1, 1]);
    expect(workspace.log).not.toMatch(/damaged|not readable/);
  },
);

/** A relay, and with it a daemon, for whom `path` is a small disk. */
async function connectOn(workspace: Workspace, path: string): Promise<PmlClient> {
  const serve = [process.execPath, CLI, 'serve', '--config', workspace.configPath];
  const command = ['unshare', '-rm', 'sh', '-c', MOUNT, 'sh', path, ...serve];
  return workspace.connect({ command });
}

/** Where the daemon sees `path`. */
function seenByDaemon(workspace: Workspace, path: string): string {
  const pid = workspace.daemonPid();
  if (pid === undefined) throw new Error('no daemon runs');
  return join('/proc', String(pid), 'root', path);
}

function fill(workspace: Workspace, path: string): void {
  const file = openSync(join(seenByDaemon(workspace, path), 'filler'), 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function free(workspace: Workspace, path: string): void {
  rmSync(join(seenByDaemon(workspace, path), 'filler'));
}
