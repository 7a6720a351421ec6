import type { KeptCall } from '../../activity/index.js';
import type { ServerUse } from '../contract/status.js';

type Call = Pick<KeptCall, 'at' | 'ms' | 'outcome' | 'server' | 'way'> &
  Partial<Pick<KeptCall, 'isSpeculated'>>;

/** How the calls of each server went, from the calls that the daemon remembers. */
export function serverUses(calls: readonly Call[]): ReadonlyMap<string, ServerUse> {
  const byServer = new Map<string, Call[]>();
  for (const call of calls) {
    // A meta-tool has no server, and what PML called by itself is no use of one.
    if (call.server === undefined || call.isSpeculated) continue;
    byServer.set(call.server, [...(byServer.get(call.server) ?? []), call]);
  }
  return new Map([...byServer].map(([server, own]) => [server, useOf(own)]));
}

function useOf(calls: readonly Call[]): ServerUse {
  const times = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const middle = (times.length - 1) / 2;
  const [low = 0, high = 0] = [times[Math.floor(middle)], times[Math.ceil(middle)]];
  return {
    calls: calls.length,
    failures: calls.filter(({ outcome }) => outcome === 'error' || outcome === 'failed').length,
    medianMs: (low + high) / 2,
    lastAt: new Date(Math.max(...calls.map(({ at }) => at))).toISOString(),
  };
}
