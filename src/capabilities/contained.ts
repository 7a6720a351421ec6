/** Capabilities that call capabilities: what that means for each of them. */
import type { Capability, CapabilityStatus } from '../core/index.js';
import { successRate } from './deserves.js';

/** The capability a name means today, one of its former names included. */
export type FindCapability = (name: string) => Capability | undefined;

/** What a capability calls, itself not included, each once. Names that mean nothing are left out. */
export function allContained(
  contains: readonly string[],
  find: FindCapability,
): readonly Capability[] {
  const found = new Map<string, Capability>();
  const waiting = [...contains];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const capability = find(name);
    if (!capability || found.has(capability.name)) continue;
    found.set(capability.name, capability);
    waiting.push(...capability.current.contains);
  }
  return [...found.values()];
}

/** Whether code that calls these could come to call itself under this name, which may be a new one. */
export function closesCycle(
  name: string,
  contains: readonly string[],
  find: FindCapability,
): boolean {
  const own = find(name)?.name ?? name;
  const reached = allContained(contains, find);
  const called = [...contains, ...reached.flatMap(({ current }) => current.contains)];
  return called.includes(own) || reached.some((one) => one.name === own);
}

/** Those whose code calls it. */
export function dependantsOf(
  capability: Capability,
  all: readonly Capability[],
  find: FindCapability,
): readonly Capability[] {
  return all.filter(
    (one) =>
      one.name !== capability.name &&
      one.current.contains.some((name) => find(name)?.name === capability.name),
  );
}

/** As reliable as the weakest of itself and all it calls; not at all if one of those is not offered. */
export function containedReliability(capability: Capability, find: FindCapability): number {
  const { contains, statistics } = capability.current;
  if (lackOf(capability, find)) return 0;
  const rates = allContained(contains, find).map(({ state, current }) =>
    state.status === 'active' ? successRate(current.statistics) : 0,
  );
  return Math.min(successRate(statistics), ...rates);
}

export type Quarantine = Extract<CapabilityStatus, { status: 'quarantined' }>;

/** The quarantine for calling what is gone or disabled; nothing if all it calls is there. */
export function lackOf(capability: Capability, find: FindCapability): Quarantine | undefined {
  const missing = missingOf(capability, find);
  if (missing.length === 0) return undefined;
  const reason = `it calls ${missing.map((name) => `cap.${name}`).join(', ')}, gone or disabled`;
  return { status: 'quarantined', cause: 'contained', reason };
}

function missingOf({ current }: Capability, find: FindCapability): readonly string[] {
  return current.contains.filter((name) => {
    const state = find(name)?.state;
    return !state || state.status === 'disabled';
  });
}
