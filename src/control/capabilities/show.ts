import { type Imported, signatureOf } from '../../capabilities/index.js';
import { type CodeStructure, formatStructure } from '../../code/index.js';
import {
  asText,
  canonicalJson,
  type Capability,
  type CapabilityVersion,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LockedDefinition,
  nearestNames,
  parseToolId,
  PmlError,
  type ToolId,
} from '../../core/index.js';
import { exportedSkills, type Gateway } from '../../gateway/index.js';
import type { Store } from '../../store/index.js';
import { type Verified, verifyCapability } from '../../workflows/index.js';
import { asJson } from '../as-json.js';

interface CapableDaemon {
  readonly gateway: Gateway;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

/** What the command line shows of a capability. Crosses as JSON, so dates are texts. */
export interface CapabilityRow {
  readonly name: string;
  readonly status: 'active' | 'quarantined' | 'disabled';
  /** Why it is not active. */
  readonly reason?: string;
  readonly isPinned: boolean;
  /** Whether an agent that looks for what it does is told of it. */
  readonly isOffered: boolean;
  readonly uses: number;
  readonly successes: number;
  /** The share of uses expected to work. */
  readonly reliability: number;
  readonly version: number;
  readonly description: string;
}

export interface CapabilityDetails extends CapabilityRow {
  readonly cause?: string;
  readonly aliases: readonly string[];
  readonly intents: readonly string[];
  readonly signature: string;
  readonly parameters: JsonObject;
  /** Its steps as an indented tree. */
  readonly steps: readonly string[];
  readonly code: string;
  readonly lock: readonly LockedTool[];
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  /** Capabilities it calls, and those that call it. */
  readonly contains: readonly string[];
  readonly containedBy: readonly string[];
  readonly failuresInRow: number;
  readonly averageMs: number;
  readonly lastUsed?: string;
}

export interface LockedTool {
  readonly tool: string;
  readonly hash: string;
  /** `unknown`: its server has not shown its tools yet. */
  readonly state: 'same' | 'changed' | 'gone' | 'unknown';
  /** What it was proven with (`-`) and what there is today (`+`). */
  readonly diff: readonly string[];
}

export interface VersionRow {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly uses: number;
  readonly successes: number;
  readonly origin: 'learned' | 'imported';
  readonly at: string;
  readonly run?: string;
}

export async function listCapabilities(daemon: CapableDaemon): Promise<JsonObject> {
  const gateway = await ready(daemon);
  const { capabilities } = gateway;
  const offered = new Set(capabilities.shown().map(({ name }) => name));
  const rows = capabilities.list().map((one) => rowOf(gateway, one, offered.has(one.name)));
  rows.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { capabilities: rows.map((row) => asJson(row)) };
}

export async function showCapability(
  daemon: CapableDaemon,
  params: JsonObject,
): Promise<JsonObject> {
  const gateway = await ready(daemon);
  const { name } = find(gateway, params['name']);
  return asJson(detailsOf(gateway, name));
}

/** Does what `action` says, and answers when that is stored. */
export async function changeCapability(
  daemon: CapableDaemon,
  params: JsonObject,
): Promise<JsonObject> {
  const gateway = await ready(daemon);
  const { capabilities } = gateway;
  const { name } = find(gateway, params['name']);
  const changed = change(gateway, name, params);
  await capabilities.settled();
  return changed ? asJson(detailsOf(gateway, changed.name)) : { deleted: name };
}

export async function exportCapabilities(
  daemon: CapableDaemon,
  params: JsonObject,
): Promise<JsonObject> {
  const gateway = await ready(daemon);
  const { name } = params;
  return gateway.capabilities.export(name === undefined ? undefined : find(gateway, name).name);
}

/** One, or all that are offered, each as the text of a SKILL.md. */
export async function exportSkills(daemon: CapableDaemon, params: JsonObject): Promise<JsonObject> {
  const gateway = await ready(daemon);
  const { name } = params;
  const skills = exportedSkills(gateway, name === undefined ? undefined : find(gateway, name));
  return { skills: skills.map((skill) => ({ name: skill.name, text: skill.text })) };
}

export type VerifiedCapability = { readonly name: string } & Verified;

/** One, all in quarantine, or all. One after the other: they may call the same servers. */
export async function verifyCapabilities(
  daemon: CapableDaemon,
  { name, all, args }: JsonObject,
): Promise<JsonObject> {
  const gateway = await ready(daemon);
  const wanted =
    name === undefined
      ? gateway.capabilities.list().filter((one) => all === true || isQuarantined(one))
      : [find(gateway, name)];
  const names = wanted.map((one) => one.name).toSorted();
  const verified: VerifiedCapability[] = [];
  for (const one of names) {
    const options = isJsonObject(args) ? { args } : {};
    verified.push({ name: one, ...(await verifyCapability(gateway, one, options)) });
  }
  await gateway.capabilities.settled();
  return { verified: verified.map((one) => asJson(one)) };
}

function isQuarantined({ state }: Capability): boolean {
  return state.status === 'quarantined';
}

export interface ImportedCapabilities {
  readonly outcomes: readonly Imported[];
  /** False: they are known until the daemon ends. */
  readonly isStored: boolean;
}

export async function importCapabilities(
  daemon: CapableDaemon,
  params: JsonObject,
): Promise<JsonObject> {
  const { capabilities } = await ready(daemon);
  const outcomes = capabilities.import(params['file'] ?? null);
  await capabilities.settled();
  const { store } = await daemon.store();
  const answer: ImportedCapabilities = { outcomes, isStored: store !== undefined };
  return asJson(answer);
}

/** What is stored is known only once the store is open. */
async function ready(daemon: CapableDaemon): Promise<Gateway> {
  await daemon.store();
  return daemon.gateway;
}

/** `cap:name` means the same as `name`. */
function find({ capabilities }: Gateway, wanted: JsonValue | undefined): Capability {
  const name = asText(wanted).replace(/^cap:/, '');
  const capability = capabilities.get(name);
  if (capability) return capability;
  const known = capabilities.list().map((one) => one.name);
  const near = nearestNames(name, known, 3);
  const hint = near.length > 0 ? ` The nearest: ${near.join(', ')}` : ' There are none yet';
  throw new PmlError('TOOL_UNKNOWN', `There is no capability ${JSON.stringify(name)}.${hint}`);
}

/** The capability as it is afterwards; nothing if it is gone. */
function change(gateway: Gateway, name: string, params: JsonObject): Capability | undefined {
  const { capabilities } = gateway;
  const isForced = params['force'] === true;
  switch (params['action']) {
    case 'rename':
      return capabilities.rename(name, asText(params['to']));
    case 'merge':
      return capabilities.merge(name, find(gateway, params['into']).name);
    case 'pin':
      return capabilities.pin(name, true);
    case 'unpin':
      return capabilities.pin(name, false);
    case 'restore':
      return capabilities.restore(name, Number(params['version']));
    case 'disable': {
      const reason = asText(params['reason']);
      return capabilities.disable(name, { isForced, ...(reason && { reason }) });
    }
    case 'enable':
      return capabilities.enable(name, (tool) => gateway.lockedDefinition(tool));
    case 'delete':
      capabilities.remove(name, { isForced });
      return undefined;
    default:
      throw new PmlError('BAD_REQUEST', `Unknown action ${JSON.stringify(params['action'])}`);
  }
}

function rowOf(
  { capabilities }: Gateway,
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

function detailsOf(gateway: Gateway, name: string): CapabilityDetails {
  const { capabilities } = gateway;
  const capability = find(gateway, name);
  const { current, state } = capability;
  const { uses, failuresInRow, totalMs, lastUsed } = current.statistics;
  const isOffered = capabilities.shown().includes(capability);
  return {
    ...rowOf(gateway, capability, isOffered),
    ...(state.status === 'quarantined' && { cause: state.cause }),
    aliases: capability.aliases,
    intents: capability.intents,
    signature: signatureOf(capability),
    parameters: current.parameters,
    // Made by the same code that prints it, and only stored meanwhile.
    steps: formatStructure(current.structure as unknown as CodeStructure),
    code: current.code,
    lock: (Object.entries(current.lock) as [ToolId, LockedDefinition][]).map(([tool, before]) =>
      lockedTool(gateway, tool, before),
    ),
    versions: capabilities.history(name).map((version) => versionRow(version, current)),
    contains: current.contains.map((one) => capabilities.get(one)?.name ?? one),
    containedBy: capabilities.dependantsOf(name).map((one) => one.name),
    failuresInRow,
    averageMs: uses === 0 ? 0 : totalMs / uses,
    ...(lastUsed && { lastUsed: lastUsed.toISOString() }),
  };
}

function lockedTool(gateway: Gateway, tool: ToolId, before: LockedDefinition): LockedTool {
  const { hash } = before;
  const now = gateway.lockedDefinition(tool);
  if (now?.hash === hash) return { tool, hash, state: 'same', diff: [] };
  const isUnlisted = gateway.view.unlisted.includes(parseToolId(tool).server);
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
  };
}
