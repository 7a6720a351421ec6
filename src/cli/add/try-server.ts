import { setTimeout as delay } from 'node:timers/promises';

import type { DaemonStatus } from '../../control/index.js';
import { messageOf } from '../../core/errors.js';
import { ask, askStarted } from '../daemon/ask.js';
import type { LocateOptions } from '../daemon/locate.js';

/** The daemon notices a changed file within a fraction of a second. */
const NOTICE_MS = 10_000;
const LOOK_MS = 50;

export type Trial =
  | { readonly works: true; readonly tools: readonly string[] }
  | { readonly works: false; readonly reason: string };

/** Starts a server that was just added, through the daemon that will use it. */
export async function tryServer(flags: LocateOptions, name: string): Promise<Trial> {
  try {
    const { status, reason } = await noticed(flags, name);
    if (!status) return { works: false, reason: reason ?? 'the daemon did not take it over' };
    const { answer } = await ask(flags, 'refresh', { server: name });
    const row = answer?.servers.find((one) => one.name === name);
    if (!row?.listed || row.lastError !== undefined) {
      const why = row?.lastError ?? 'it showed no lists';
      return { works: false, reason: `${why}; pml logs ${name} shows what it printed` };
    }
    const listed = await ask(flags, 'tools', {});
    const own = (listed.answer?.tools ?? []).filter((one) => one.server === name);
    const active = own.filter(({ status: state }) => state === 'active');
    return { works: true, tools: active.map(({ definition }) => definition.name) };
  } catch (error) {
    return { works: false, reason: messageOf(error) };
  }
}

/** Waits until the daemon knows the server, or says why it cannot use it. */
async function noticed(
  flags: LocateOptions,
  name: string,
): Promise<{ readonly status?: DaemonStatus; readonly reason?: string }> {
  const deadline = performance.now() + NOTICE_MS;
  for (;;) {
    const { answer: status } = await askStarted(flags, 'status', {});
    const { rejectedConfig, broken } = status;
    const reason = Object.hasOwn(broken, name) ? broken[name] : rejectedConfig?.message;
    if (status.servers.some((one) => one.name === name)) return { status };
    if (reason !== undefined) return { reason };
    if (performance.now() > deadline) return {};
    await delay(LOOK_MS);
  }
}
