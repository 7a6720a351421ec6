import {
  type Capability,
  type CapabilityUpdate,
  type CapabilityUse,
  type CapabilityVersion,
  PmlError,
} from '../core/index.js';

type CapabilityRows = ReadonlyMap<string, Capability>;

/** What is stored after an update, the same for every `CapabilityStore`. Pure. */
export function applyUpdate(
  before: CapabilityRows,
  update: CapabilityUpdate,
): Map<string, Capability> {
  const rows = new Map(before);
  changeRows(rows, update);
  return rows;
}

/** The same in place, for callers that read many updates. An update that throws changes no row. */
export function changeRows(
  rows: Map<string, Capability>,
  { remove, write, forget, uses }: CapabilityUpdate,
): void {
  const changed = new Map<string, Capability | undefined>(remove.map((name) => [name, undefined]));
  const rowOf = (name: string) => (changed.has(name) ? changed.get(name) : rows.get(name));
  for (const capability of write) {
    changed.set(capability.name, joined(capability, rowOf(capability.name)));
  }
  for (const { capability, identity } of forget) {
    const row = rowOf(capability);
    if (row) changed.set(capability, withoutVersion(row, identity));
  }
  for (const use of uses) {
    const row = rowOf(use.capability);
    if (row) changed.set(row.name, withUse(row, use));
  }
  for (const [name, row] of changed) {
    if (row) rows.set(name, row);
    else rows.delete(name);
  }
}

/** As written, plus the statistics and other versions that already exist. */
function joined(written: Capability, stored: Capability | undefined): Capability {
  const before = new Map(stored ? versionsOf(stored).map((one) => [one.identity, one]) : []);
  const keep = (version: CapabilityVersion) => ({
    ...version,
    statistics: before.get(version.identity)?.statistics ?? version.statistics,
  });
  const named = new Set(versionsOf(written).map(({ identity }) => identity));
  const further = [...before.values()].filter(({ identity }) => !named.has(identity));
  const others = [...written.others.map(keep), ...further];
  return {
    ...written,
    current: keep(written.current),
    others: others.toSorted((one, other) => other.version - one.version),
  };
}

function withoutVersion(row: Capability, identity: string): Capability {
  if (row.current.identity === identity) {
    throw new PmlError('STORE_FAILED', `${row.name} would have no code`);
  }
  return { ...row, others: row.others.filter((version) => version.identity !== identity) };
}

function withUse(row: Capability, use: CapabilityUse): Capability {
  const add = (version: CapabilityVersion) =>
    version.identity === use.identity ? { ...version, statistics: added(version, use) } : version;
  return { ...row, current: add(row.current), others: row.others.map(add) };
}

function added({ statistics }: CapabilityVersion, use: CapabilityUse) {
  const { lastUsed } = statistics;
  return {
    uses: statistics.uses + use.uses,
    successes: statistics.successes + use.successes,
    totalMs: statistics.totalMs + use.totalMs,
    failuresInRow: use.failuresInRow,
    lastUsed: lastUsed && lastUsed > use.lastUsed ? lastUsed : use.lastUsed,
  };
}

function versionsOf({ current, others }: Capability): readonly CapabilityVersion[] {
  return [current, ...others];
}
