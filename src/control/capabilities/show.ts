import { signatureOf, stepsOf } from '../../capabilities/index.js';
import {
  canonicalJson,
  type Capability,
  type CapabilityVersion,
  type Invocation,
  type LockedDefinition,
  parseToolId,
  type ToolId,
} from '../../core/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { ControlParams, ControlResult } from '../contract.js';
import type {
  CapabilityDetails,
  CapabilityRow,
  InvocationRow,
  LockedTool,
  VersionRow,
} from '../contract/capabilities.js';
import { type CapableDaemon, find, ready } from './find.js';

export async function listCapabilities(
  daemon: CapableDaemon,
): Promise<ControlResult<'capabilities'>> {
  const tools = await ready(daemon);
  const { capabilities } = tools;
  const offered = new Set(capabilities.shown().map(({ name }) => name));
  const rows = capabilities.list().map((one) => rowOf(tools, one, offered.has(one.name)));
  return { capabilities: rows.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

export async function showCapability(
  daemon: CapableDaemon,
  { name }: ControlParams<'capability-show'>,
): Promise<CapabilityDetails> {
  const tools = await ready(daemon);
  return detailsOf(tools, find(tools, name).name);
}

function rowOf(
  { capabilities }: ToolDirectory,
  capability: Capability,
  isOffered: boolean,
): CapabilityRow {
  const { name, state, isPinned, current, description } = capability;
  const { uses, successes } = current.statistics;
  return {
    name,
    status: state.status,
    ...(state.status !== 'active' && { reason: state.reason }),
    isPinned,
    isOffered,
    uses,
    successes,
    reliability: capabilities.reliability(name),
    version: current.version,
    description,
  };
}

export function detailsOf(tools: ToolDirectory, name: string): CapabilityDetails {
  const { capabilities } = tools;
  const capability = find(tools, name);
  const { current, state } = capability;
  const { uses, failuresInRow, totalMs, lastUsed } = current.statistics;
  const isOffered = capabilities.shown().includes(capability);
  return {
    ...rowOf(tools, capability, isOffered),
    ...(state.status === 'quarantined' && { cause: state.cause }),
    aliases: capability.aliases,
    intents: capability.intents,
    signature: signatureOf(capability),
    parameters: current.parameters,
    steps: stepsOf(capability),
    code: current.code,
    lock: (Object.entries(current.lock) as [ToolId, LockedDefinition][]).map(([tool, before]) =>
      lockedTool(tools, tool, before),
    ),
    versions: capabilities.history(name).map((version) => versionRow(version, current)),
    contains: current.contains.map((one) => capabilities.get(one)?.name ?? one),
    containedBy: capabilities.dependantsOf(name).map((one) => one.name),
    ...(current.invocations && { invocations: invocationRows(current.invocations) }),
    failuresInRow,
    averageMs: uses === 0 ? 0 : totalMs / uses,
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}

/** A number distinguishes calls of the same tool. */
function invocationRows(invocations: readonly Invocation[]): readonly InvocationRow[] {
  const counts = new Map<ToolId, number>();
  const names = invocations.map(({ tool }) => {
    const number = (counts.get(tool) ?? 0) + 1;
    counts.set(tool, number);
    return `${tool}#${number}`;
  });
  return invocations.map(({ parent, ...one }, place) => {
    const above = parent === undefined ? undefined : names[parent];
    return { call: names[place]!, ...one, ...(above !== undefined && { parent: above }) };
  });
}

function lockedTool(tools: ToolDirectory, tool: ToolId, before: LockedDefinition): LockedTool {
  const { hash } = before;
  const now = tools.lockedDefinition(tool);
  if (now?.hash === hash) return { tool, hash, state: 'same', diff: [] };
  const isUnlisted = tools.view.unlisted.includes(parseToolId(tool).server);
  if (isUnlisted) return { tool, hash, state: 'unknown', diff: [] };
  if (!now) return { tool, hash, state: 'gone', diff: [] };
  const fields = ['description', 'inputSchema', 'outputSchema'] as const;
  const diff = fields.flatMap((field) => {
    const [old, today] = [before[field], now[field]].map((value) => canonicalJson(value ?? null));
    return old === today ? [] : [`- ${field}: ${old}`, `+ ${field}: ${today}`];
  });
  return { tool, hash, state: 'changed', diff };
}

function versionRow(one: CapabilityVersion, current: CapabilityVersion): VersionRow {
  const { version, statistics, provenance } = one;
  const { origin, at, run } = provenance;
  return {
    version,
    isCurrent: one.identity === current.identity,
    uses: statistics.uses,
    successes: statistics.successes,
    origin,
    at: at.toISOString(),
    ...(run !== undefined && { run }),
    code: one.code,
  };
}
