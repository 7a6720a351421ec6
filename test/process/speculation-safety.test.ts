/**
 * Thousands of random sessions against a server whose tools lie and whose data change with every
 * write: PML never writes by itself, and never serves data older than a write it could observe.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { AheadSessions } from '../helpers/ahead-sessions.js';
import { aheadWorkspace, ledgerOf } from '../helpers/ahead.js';
import { seeded } from '../helpers/seeded.js';
import { SocketClient } from '../helpers/socket-client.js';
import { killIfAlive, type Workspace } from '../helpers/workspace.js';

const SESSIONS = 2_000;
/** Each but the last ends with the death of the daemon. */
const LIVES = 4;
const AT_ONCE = 4;
const SPECULATION = {
  mode: 'on',
  // PML makes every predicted call that it may make, even uncertain ones.
  threshold: 0.02,
  concurrency: 2,
  callsPerMinute: 1e6,
  msPerMinute: 1e9,
  bytesPerMinute: 1e9,
};

/** A client of the running daemon, or of the one that is starting. */
async function firstClient(workspace: Workspace): Promise<SocketClient> {
  return expect
    .poll(async () => SocketClient.open(workspace).catch(() => undefined), { timeout: 60_000 })
    .toBeDefined()
    .then(async () => (await SocketClient.open(workspace))!);
}

// covers: AHEAD-SAFE
test('PML makes no writing call by itself and serves nothing stale in 2,000 sessions', async () => {
  await using workspace = await aheadWorkspace(SPECULATION, {
    permissions: { allow: ['data:*'] },
  });
  const random = seeded(15);
  const sessions = new AheadSessions(workspace, random);
  const total = { sent: 0, served: 0, stale: 0 };
  // The relay of this client restarts a killed daemon.
  await workspace.connect();
  for (let life = 1; life <= LIVES; life++) {
    const pid = workspace.daemonPid();
    using teacher = await firstClient(workspace);
    await sessions.teach(teacher);
    const until = (SESSIONS * life) / LIVES;
    const work = async () => {
      while (sessions.sessions < until && (await sessions.play()));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const speculation = (await workspace.status()).speculation?.ahead;
    total.sent += speculation?.sent ?? 0;
    total.served += speculation?.served ?? 0;
    total.stale += speculation?.stale ?? 0;
    if (life === LIVES) break;
    const last = Promise.all([sessions.playCancelled(), sessions.play(), sessions.play()]);
    await delay(Math.floor(random() * 40));
    killIfAlive(pid);
    await last;
    await expect.poll(() => workspace.daemonPid() ?? pid, { timeout: 60_000 }).not.toBe(pid);
  }

  expect(sessions.judge(ledgerOf(workspace))).toEqual([]);
  expect(sessions.sessions).toBeGreaterThanOrEqual(SESSIONS);
  expect(total.sent, 'hardly anything was called ahead: the test is blind').toBeGreaterThan(300);
  expect(sessions.served, 'hardly anything was served: the test is blind').toBeGreaterThan(50);
}, 600_000);
