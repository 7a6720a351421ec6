import type { Selectable } from 'kysely';

import type {
  Capability,
  CapabilityStatus,
  CapabilityUse,
  CapabilityVersion,
  Invocation,
  JsonObject,
  JsonValue,
  LockedDefinition,
  RunId,
  ToolId,
} from '../../core/index.js';
import type { Tables } from '../schema.js';
import { storable } from './storable-text.js';

export type StoredCapabilityRow = Selectable<Tables['capability']>;
export type StoredVersionRow = Selectable<Tables['capability_version']>;

/** A version and the name it is kept under. */
export interface NamedVersion {
  readonly capability: string;
  readonly version: CapabilityVersion;
}

export function capabilityColumns(capabilities: readonly Capability[]) {
  const states = capabilities.map(({ state }) => state);
  return {
    name: capabilities.map(({ name }) => storable(name)),
    aliases: capabilities.map(({ aliases }) => JSON.stringify(aliases)),
    description: capabilities.map(({ description }) => storable(description)),
    intents: capabilities.map(({ intents }) => JSON.stringify(intents)),
    status: states.map(({ status }) => status),
    cause: states.map((state) => (state.status === 'quarantined' ? state.cause : null)),
    reason: states.map((state) => (state.status === 'active' ? null : storable(state.reason))),
    isPinned: capabilities.map(({ isPinned }) => isPinned),
    current: capabilities.map(({ current }) => storable(current.identity)),
  };
}

export function versionsOf({ name, current, others }: Capability): readonly NamedVersion[] {
  return [current, ...others].map((version) => ({ capability: name, version }));
}

export function versionSize({ version }: NamedVersion): number {
  const { code, parameters, lock, structure, sequence, invocations = [] } = version;
  const json = JSON.stringify([parameters, lock, structure, sequence, invocations]);
  return 500 + code.length + json.length;
}

export function versionColumns(versions: readonly NamedVersion[]) {
  const all = versions.map(({ version }) => version);
  const json = (pick: (version: CapabilityVersion) => object | JsonValue) =>
    all.map((version) => JSON.stringify(pick(version)));
  return {
    capability: versions.map(({ capability }) => storable(capability)),
    identity: all.map(({ identity }) => storable(identity)),
    version: all.map(({ version }) => version),
    code: all.map(({ code }) => storable(code)),
    parameters: json(({ parameters }) => parameters),
    lock: json(({ lock }) => lock),
    contains: json(({ contains }) => contains),
    structure: json(({ structure }) => structure),
    toolsUsed: json(({ toolsUsed }) => toolsUsed),
    sequence: json(({ sequence }) => sequence),
    invocations: all.map(({ invocations }) => (invocations ? JSON.stringify(invocations) : null)),
    uses: all.map(({ statistics }) => statistics.uses),
    successes: all.map(({ statistics }) => statistics.successes),
    failuresInRow: all.map(({ statistics }) => statistics.failuresInRow),
    totalMs: all.map(({ statistics }) => statistics.totalMs),
    lastUsed: all.map(({ statistics }) => statistics.lastUsed?.toISOString() ?? null),
    origin: all.map(({ provenance }) => provenance.origin),
    run: all.map(({ provenance }) =>
      provenance.run === undefined ? null : storable(provenance.run),
    ),
    provenAt: all.map(({ provenance }) => provenance.at.toISOString()),
  };
}

export function useColumns(uses: readonly CapabilityUse[]) {
  return {
    capability: uses.map(({ capability }) => storable(capability)),
    identity: uses.map(({ identity }) => storable(identity)),
    uses: uses.map((use) => use.uses),
    successes: uses.map(({ successes }) => successes),
    totalMs: uses.map(({ totalMs }) => totalMs),
    failuresInRow: uses.map(({ failuresInRow }) => failuresInRow),
    lastUsed: uses.map(({ lastUsed }) => lastUsed.toISOString()),
  };
}

/** Versions newest first. One whose code in use is not among them cannot be in the database. */
export function toCapability(
  row: StoredCapabilityRow,
  versions: readonly StoredVersionRow[],
): Capability {
  const all = versions.map(toVersion);
  return {
    name: row.name,
    aliases: JSON.parse(row.aliases) as string[],
    description: row.description,
    intents: JSON.parse(row.intents) as string[],
    state: toState(row),
    isPinned: row.is_pinned,
    current: all.find(({ identity }) => identity === row.current_identity)!,
    others: all.filter(({ identity }) => identity !== row.current_identity),
  };
}

function toState({ status, cause, reason }: StoredCapabilityRow): CapabilityStatus {
  if (status === 'active') return { status };
  return status === 'quarantined'
    ? { status, cause: cause!, reason: reason! }
    : { status, reason: reason! };
}

function toVersion(row: StoredVersionRow): CapabilityVersion {
  return {
    identity: row.identity,
    version: row.version,
    code: row.code,
    parameters: JSON.parse(row.parameters) as JsonObject,
    lock: JSON.parse(row.lock) as Record<ToolId, LockedDefinition>,
    contains: JSON.parse(row.contains) as string[],
    structure: JSON.parse(row.structure) as JsonValue,
    toolsUsed: JSON.parse(row.tools_used) as ToolId[],
    sequence: JSON.parse(row.sequence) as string[],
    ...(row.invocations !== null && {
      invocations: JSON.parse(row.invocations) as Invocation[],
    }),
    statistics: {
      uses: row.uses,
      successes: row.successes,
      failuresInRow: row.failures_in_row,
      totalMs: row.total_ms,
      ...(row.last_used && { lastUsed: row.last_used }),
    },
    provenance: {
      origin: row.origin,
      at: row.proven_at,
      ...(row.run !== null && { run: row.run as RunId }),
    },
  };
}
