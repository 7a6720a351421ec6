import type {
  Capability,
  CapabilityStatus,
  CapabilityVersion,
  UseStatistics,
} from '../core/index.js';

export interface Use {
  readonly ok: boolean;
  readonly ms: number;
  readonly at: Date;
}

/** Failures in a row after which it is no longer offered. */
const MOST_FAILURES = 3;

/** Statistics after one more use. */
export function countUse(before: UseStatistics, { ok, ms, at }: Use): UseStatistics {
  const { lastUsed = at } = before;
  return {
    uses: before.uses + 1,
    successes: before.successes + (ok ? 1 : 0),
    failuresInRow: ok ? 0 : before.failuresInRow + 1,
    totalMs: before.totalMs + ms,
    lastUsed: lastUsed > at ? lastUsed : at,
  };
}

/** Of two together; the first says how it went lately. */
export function addStatistics(one: UseStatistics, other: UseStatistics): UseStatistics {
  const dates = [one.lastUsed, other.lastUsed].flatMap((date) => date ?? []);
  const [lastUsed] = dates.toSorted((a, b) => b.getTime() - a.getTime());
  return {
    uses: one.uses + other.uses,
    successes: one.successes + other.successes,
    failuresInRow: one.failuresInRow,
    totalMs: one.totalMs + other.totalMs,
    ...(lastUsed && { lastUsed }),
  };
}

/** Puts a version back where it was among the others. */
export function withVersion(capability: Capability, version: CapabilityVersion): Capability {
  const put = (one: CapabilityVersion) => (one.identity === version.identity ? version : one);
  return { ...capability, current: put(capability.current), others: capability.others.map(put) };
}

/**
 * What becomes of a capability by a use of the version it offers: failures in a row take it out of
 * sight, one success brings it back. What the user disabled stays so.
 */
export function stateAfter(capability: Capability, { ok }: Use): CapabilityStatus {
  const { state, current } = capability;
  if (state.status === 'disabled') return state;
  if (ok) return state.status === 'active' ? state : { status: 'active' };
  const { failuresInRow } = current.statistics;
  if (state.status === 'quarantined' || failuresInRow < MOST_FAILURES) return state;
  return {
    status: 'quarantined',
    cause: 'failures',
    reason: `it failed ${failuresInRow} times in a row`,
  };
}
