import { dottedPath } from '../config/text/parse-jsonc.js';
import { type ConfigText, readConfigText } from '../config/text/read-text.js';
import { isJsonObject, type JsonObject, type JsonValue, messageOf } from '../core/index.js';
import type { ClientFile } from './client-files.js';
import { formatOf } from './formats/format-of.js';
import { type OwnEntry, ownEntry } from './own-entry.js';

type ClientFileState =
  | { readonly status: 'absent' }
  | { readonly status: 'unreadable'; readonly reason: string }
  | { readonly status: 'read'; readonly source: ConfigText; readonly value: JsonObject };

export interface ReadFile {
  readonly file: ClientFile;
  readonly state: ClientFileState;
}

/** Never rejects: one client's broken file must not hide the servers of the others. */
export async function readClientFile(file: ClientFile): Promise<ReadFile> {
  try {
    const source = await readConfigText(file.path, file.maxBytes);
    if (!source) return { file, state: { status: 'absent' } };
    const state = parseState(file, source);
    return { file: state.status === 'read' ? placed(file, state.value) : file, state };
  } catch (error) {
    return { file, state: { status: 'unreadable', reason: messageOf(error) } };
  }
}

function parseState(file: ClientFile, source: ConfigText): ClientFileState {
  const parsed = formatOf(file.path).parse(source.text);
  if (!parsed.ok) {
    return { status: 'unreadable', reason: `${file.path}${parsed.where}: ${parsed.message}` };
  }
  const { value } = parsed;
  for (const path of file.serverPaths) {
    const servers = valueAtPath(value, path);
    if (servers !== undefined && !isJsonObject(servers)) {
      const reason = `${file.path}: ${dottedPath(path)}: expected an object of servers`;
      return { status: 'unreadable', reason };
    }
  }
  return { status: 'read', source, value };
}

/** The second version of opencode keeps its servers one level deeper. */
function placed(file: ClientFile, value: JsonObject): ClientFile {
  if (file.client !== 'opencode') return file;
  const inner = valueAtPath(value, ['mcp', 'servers']);
  const isDeeper = isJsonObject(inner) && typeof inner['type'] !== 'string';
  return isDeeper ? { ...file, serverPaths: [['mcp', 'servers']] } : file;
}

export interface ListedServer {
  readonly place: readonly string[];
  readonly name: string;
  readonly entry: OwnEntry;
}

/** The MCP servers of a file, without what only its client can use. */
export function listServers({ client, serverPaths }: ClientFile, value: JsonObject) {
  return serverPaths.flatMap((place) =>
    Object.entries(serversAt(value, place)).flatMap(([name, one]): readonly ListedServer[] => {
      const entry = ownEntry(client, one);
      return entry ? [{ place, name, entry }] : [];
    }),
  );
}

export function valueAtPath(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** The server map at one of a file's places, empty if it has none. */
export function serversAt(value: JsonObject, path: readonly string[]): JsonObject {
  const servers = valueAtPath(value, path);
  return isJsonObject(servers) ? servers : {};
}
