import type { Machine } from '../../clients/index.js';
import { checkServerEntry } from '../../config/servers.js';
import {
  isServerName,
  type JsonObject,
  namesSecret,
  PmlError,
  type ServerName,
  serverName,
} from '../../core/index.js';
import { Filling, type GivenValues, type MissingInput } from './fill-inputs.js';
import { OFFICIAL_REGISTRY, readServerJson, sourceOf } from './read-source.js';
import { makeEntry } from './server-entry.js';
import type { ServerJson } from './server-json.js';

export interface Wanted {
  readonly source: string;
  /** After `--`. */
  readonly command: readonly string[];
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly env?: GivenValues | undefined;
  readonly header?: GivenValues | undefined;
  readonly arg?: GivenValues | undefined;
  readonly package?: string | undefined;
  readonly registry?: string | undefined;
  readonly plainSecrets?: boolean | undefined;
}

/** A server to be added. Nothing has been written. */
export interface PlannedServer {
  readonly name: ServerName;
  readonly entry: JsonObject;
  /** What the registry says it is. */
  readonly about?: ServerJson | undefined;
  /** Exact version; missing where nothing is pinned. */
  readonly pin?: string | undefined;
  readonly isPackage: boolean;
  /** Variables of the environment that it refers to. */
  readonly references: readonly string[];
  /** What only the user can say. */
  readonly missing: readonly MissingInput[];
}

type Document = ServerJson | undefined;

/** The document that the words of the user name; undefined for a command or an address. */
export async function readDocument(wanted: Wanted, { cwd }: Machine): Promise<Document> {
  const source = sourceOf(wanted.source);
  const isOwn = wanted.command.length > 0 || wanted.url !== undefined;
  if (wanted.command.length > 0 && wanted.url !== undefined) {
    throw new PmlError('BAD_REQUEST', 'Give a command or --url, not both');
  }
  if (isOwn) return undefined;
  if (source.kind === 'own') {
    throw new PmlError(
      'BAD_REQUEST',
      `${wanted.source} is no file, address or name of the registry (such as io.github.user/server). Give the command: pml add ${wanted.source} -- <command>`,
    );
  }
  return readServerJson(source, { cwd, registry: wanted.registry ?? OFFICIAL_REGISTRY });
}

export function planAdd(wanted: Wanted, document: Document): PlannedServer {
  refuseSecrets(wanted);
  const planned = document ? fromDocument(wanted, document) : fromWords(wanted);
  const problem = planned.missing.length > 0 ? undefined : checkServerEntry(planned.entry);
  if (problem !== undefined) throw new PmlError('BAD_REQUEST', `${planned.name}: ${problem}`);
  return planned;
}

function fromDocument(wanted: Wanted, about: ServerJson): PlannedServer {
  const given = new Map([...(wanted.env ?? []), ...(wanted.header ?? [])]);
  const filling = new Filling(given, wanted.arg ?? new Map());
  const { entry, pin, form } = makeEntry(about, filling, wanted.package);
  return {
    name: nameOf(wanted.name ?? about.name.split('/').at(-1) ?? ''),
    entry,
    about,
    pin,
    isPackage: form !== 'remote',
    references: [...new Set([...filling.references, ...referencesIn(entry)])],
    missing: filling.missing,
  };
}

function fromWords({ source, name, command, url, env, header }: Wanted): PlannedServer {
  const [program = '', ...args] = command;
  const entry: JsonObject =
    url === undefined
      ? { command: program, args, ...mapOf('env', env) }
      : { url, ...mapOf('headers', header) };
  return {
    name: nameOf(name ?? source),
    entry,
    isPackage: false,
    references: referencesIn(entry),
    missing: [],
  };
}

function mapOf(key: string, given: GivenValues | undefined): JsonObject {
  const entries = [...(given ?? [])].map(([name, values]) => [name, values.at(-1) ?? ''] as const);
  return entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) };
}

/** A secret on the command line would stand in the file, in clear. */
function refuseSecrets({ env, header, plainSecrets }: Wanted): void {
  if (plainSecrets) return;
  const given = [...(env ?? []), ...(header ?? [])];
  const clear = given.filter(
    ([name, values]) => namesSecret(name) && values.some((value) => !value.includes('${')),
  );
  if (clear.length === 0) return;
  const names = clear.map(([name]) => name).join(', ');
  const [first = ['KEY']] = clear;
  const variable = first[0].replaceAll(/\W+/g, '_').toUpperCase();
  throw new PmlError(
    'BAD_REQUEST',
    `${names}: a secret is not written into the file. Set it in the environment and refer to it, such as '${first[0]}=\${${variable}}', or add --plain-secrets`,
  );
}

function referencesIn(entry: JsonObject): readonly string[] {
  const text = JSON.stringify(entry).replaceAll('$${', '');
  return [...new Set([...text.matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => name))];
}

function nameOf(wanted: string): ServerName {
  if (isServerName(wanted)) return wanted;
  const legal = wanted.replaceAll(/[^\w.-]+/g, '-').replaceAll(/_{2,}/g, '_');
  if (isServerName(legal)) return legal;
  try {
    return serverName(wanted);
  } catch (cause) {
    throw new PmlError('BAD_REQUEST', `Choose a name with --name: ${(cause as Error).message}`);
  }
}
