import {
  canonicalJson,
  isServerName,
  type JsonObject,
  type JsonValue,
  type ServerName,
  serverName,
} from '../core/index.js';
import { anchorPaths } from './anchor-paths.js';
import type { Client, ClientFile, Machine } from './client-files.js';
import { convertEntry } from './convert-entry.js';
import { isPml } from './pml-entry.js';
import { listServers, type ReadFile } from './read-client-file.js';

interface Source {
  readonly client: Client;
  readonly path: string;
  readonly scope: ClientFile['scope'];
  /** Name in that file. */
  readonly name: string;
}

export interface ImportedServer {
  readonly name: ServerName;
  readonly entry: JsonObject;
  readonly sources: readonly Source[];
  readonly notes: readonly string[];
}

interface LeftOut extends Source {
  readonly reason: string;
}

export interface ImportPlan {
  /** To be added. */
  readonly servers: readonly ImportedServer[];
  /** Already configured, whatever else was set for them there. */
  readonly known: readonly ImportedServer[];
  readonly broken: readonly LeftOut[];
  /** Entries that start PML itself. */
  readonly skipped: readonly LeftOut[];
}

export interface ImportOptions {
  readonly machine: Machine;
  /** Servers already configured. */
  readonly existing: Readonly<Record<string, JsonValue>>;
  /** Says what is wrong with an entry of ours. */
  readonly check: (entry: JsonObject) => string | undefined;
}

interface Slot {
  readonly server: ImportedServer;
  readonly isKnown: boolean;
}

/** Only these decide whether two entries are one server; the rest is how it is used. */
const IDENTITY = ['command', 'args', 'cwd', 'env', 'url', 'headers'];

/**
 * Decides what the servers of all clients become in one configuration. The user's own files come
 * first, so that a project file can never take the name of a server the user chose.
 */
export function planImport(files: readonly ReadFile[], options: ImportOptions): ImportPlan {
  const slots = new Map<string, Slot>();
  for (const [name, entry] of Object.entries(options.existing)) {
    if (!isServerName(name)) continue;
    const server = { name, entry: entry as JsonObject, sources: [], notes: [] };
    slots.set(name, { server, isKnown: true });
  }
  const broken: LeftOut[] = [];
  const skipped: LeftOut[] = [];
  const isUser = ({ file }: ReadFile) => file.scope === 'user';
  const ordered = [...files.filter(isUser), ...files.filter((read) => !isUser(read))];
  for (const found of ordered.flatMap(serversIn)) {
    if (isPml(found.source.name, found.entry.value)) {
      skipped.push({ ...found.source, reason: 'this is PML itself' });
      continue;
    }
    const { client } = found.source;
    const { inputs } = found;
    const converted = convertEntry(found.entry, { inputs, client, machine: options.machine });
    const reason = converted.kind === 'broken' ? converted.reason : options.check(converted.entry);
    if (reason !== undefined) broken.push({ ...found.source, reason });
    if (reason !== undefined || converted.kind === 'broken') continue;
    const { entry, notes } = converted;
    const isProject = found.source.scope === 'project';
    const anchored = isProject ? anchorPaths(entry, options.machine) : entry;
    place(slots, found.source, { entry: anchored, notes });
  }
  const used = [...slots.values()].filter(({ server }) => server.sources.length > 0);
  return {
    servers: used.filter(({ isKnown }) => !isKnown).map(({ server }) => server),
    known: used.filter(({ isKnown }) => isKnown).map(({ server }) => server),
    broken,
    skipped,
  };
}

function serversIn({ file, state }: ReadFile) {
  if (state.status !== 'read') return [];
  const { client, path, scope } = file;
  return listServers(file, state.value).map(({ name, entry }) => ({
    source: { client, path, scope, name },
    entry,
    inputs: state.value['inputs'],
  }));
}

/** Puts a server under its name; next to a different server of that name it gets the client's too. */
function place(
  slots: Map<string, Slot>,
  source: Source,
  { entry, notes }: { entry: JsonObject; notes: readonly string[] },
): void {
  const wanted = legalName(source.name);
  const twin = findTwin(slots, wanted, entry);
  if (twin) {
    const server = merge(twin, source, entry);
    const note = `the same server as "${source.name}" of ${source.client}`;
    const all = [...new Set([...server.notes, note])];
    slots.set(server.name, { ...twin, server: { ...server, notes: all } });
    return;
  }
  for (let attempt = 0; ; attempt++) {
    const name = candidate(wanted, source.client, attempt);
    const slot = slots.get(name);
    if (slot && identity(slot.server.entry) !== identity(entry)) continue;
    const server = slot ? merge(slot, source, entry) : { name, entry, sources: [source], notes };
    const renamed = name === source.name ? [] : [renamedNote(source, name, wanted)];
    const all = [...new Set([...server.notes, ...(slot ? [] : renamed)])];
    slots.set(name, { server: { ...server, notes: all }, isKnown: slot?.isKnown ?? false });
    return;
  }
}

/** The same server under another name; under its own name it is found there. */
function findTwin(
  slots: ReadonlyMap<string, Slot>,
  wanted: string,
  entry: JsonObject,
): Slot | undefined {
  const own = identity(entry);
  const slot = slots.get(wanted);
  if (slot && identity(slot.server.entry) === own) return undefined;
  return [...slots.values()].find(({ server }) => identity(server.entry) === own);
}

function candidate(wanted: string, client: Client, attempt: number): ServerName {
  if (attempt === 0) return serverName(wanted);
  const suffix = attempt === 1 ? `-${client}` : `-${client}-${attempt}`;
  return serverName(`${wanted.slice(0, 64 - suffix.length)}${suffix}`);
}

function renamedNote(source: Source, name: string, wanted: string): string {
  return name === wanted
    ? `renamed from "${source.name}", which is not a possible name here`
    : `renamed from "${source.name}": another server has that name`;
}

/** The same server in two of the user's files is wanted if either has it switched on. */
function merge({ server, isKnown }: Slot, source: Source, entry: JsonObject): ImportedServer {
  const sources = [...server.sources, source];
  if (isKnown || source.scope === 'project' || entry['enabled'] === false)
    return { ...server, sources };
  const { enabled: _enabled, ...wanted } = server.entry;
  return { ...server, entry: wanted, sources };
}

function identity(entry: JsonObject): string {
  const filled = IDENTITY.filter((key) => {
    const value = entry[key];
    return value !== undefined && canonicalJson(value) !== '{}' && canonicalJson(value) !== '[]';
  });
  return canonicalJson(Object.fromEntries(filled.map((key) => [key, entry[key] as JsonValue])));
}

function legalName(name: string): string {
  if (isServerName(name)) return name;
  const legal = name
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/_{2,}/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/-+$/, '')
    .slice(0, 64);
  if (legal === '') return 'server';
  return isServerName(legal) ? legal : `${legal}-server`;
}
