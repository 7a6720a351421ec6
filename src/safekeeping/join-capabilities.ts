import type { Capability, CapabilityVersion } from '../core/index.js';

interface JoinOptions {
  /** Lines of the file could not be read: what is left of it may have been changed or removed since. */
  readonly isDamaged: boolean;
}

/**
 * All capabilities of a file that is not complete and of the database, each once. Pure. A database that
 * was written after a capability last changed, and does not have it, had it removed: a damaged file
 * does not bring it back.
 */
export function joinCapabilities(
  kept: readonly Capability[],
  stored: readonly Capability[],
  { isDamaged }: JoinOptions,
): readonly Capability[] {
  const rows = new Map(stored.map((one) => [one.name, one]));
  const storedAt = Math.max(...stored.map(changedAt));
  for (const one of kept) {
    const twin = twinOf(one, rows);
    if (!twin && isDamaged && changedAt(one) < storedAt) continue;
    const newer = twin && isNewer(twin, one, isDamaged) ? twin : one;
    if (twin) rows.delete(twin.name);
    rows.set(newer.name, twin ? withVersions(newer, newer === one ? twin : one) : newer);
  }
  const former = new Set([...rows.values()].flatMap(({ aliases }) => aliases));
  return [...rows.values()].filter(({ name }) => !former.has(name));
}

/** The same capability under its name, or under one it had before. */
function twinOf(one: Capability, rows: ReadonlyMap<string, Capability>): Capability | undefined {
  return (
    rows.get(one.name) ??
    [...rows.values()].find((row) => row.aliases.includes(one.name)) ??
    one.aliases.map((alias) => rows.get(alias)).find((row) => row !== undefined)
  );
}

function isNewer(stored: Capability, kept: Capability, isDamaged: boolean): boolean {
  const isRenamedInStore = stored.aliases.includes(kept.name);
  const isRenamedInFile = kept.aliases.includes(stored.name);
  if (isRenamedInStore !== isRenamedInFile) return isRenamedInStore;
  const further = stored.current.version - kept.current.version;
  return further > 0 || (further === 0 && isDamaged);
}

/** With the names and versions that only the other one has, and of each version the longer statistics. */
function withVersions(one: Capability, other: Capability): Capability {
  const known = new Map(versionsOf(other).map((version) => [version.identity, version]));
  const longer = (version: CapabilityVersion): CapabilityVersion => {
    const again = known.get(version.identity);
    const isLonger = again && again.statistics.uses > version.statistics.uses;
    return isLonger ? { ...version, statistics: again.statistics } : version;
  };
  const named = new Set(versionsOf(one).map(({ identity }) => identity));
  const further = versionsOf(other).filter(({ identity }) => !named.has(identity));
  const others = [...one.others.map(longer), ...further];
  const names = new Set([...one.aliases, other.name, ...other.aliases]);
  names.delete(one.name);
  return {
    ...one,
    aliases: [...names],
    current: longer(one.current),
    others: others.toSorted((a, b) => b.version - a.version),
  };
}

/** When it was last proven or used. */
function changedAt(capability: Capability): number {
  const moments = versionsOf(capability).flatMap(({ provenance, statistics: { lastUsed } }) => [
    provenance.at.getTime(),
    ...(lastUsed ? [lastUsed.getTime()] : []),
  ]);
  return Math.max(...moments);
}

function versionsOf({ current, others }: Capability): readonly CapabilityVersion[] {
  return [current, ...others];
}
