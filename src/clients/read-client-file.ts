import { dottedPath, parseJsonc } from '../config/text/parse-jsonc.js';
import { type ConfigText, readConfigText } from '../config/text/read-text.js';
import { isJsonObject, type JsonObject, type JsonValue, messageOf } from '../core/index.js';
import type { ClientFile } from './client-files.js';

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
    return { file, state: source ? parseState(file, source) : { status: 'absent' } };
  } catch (error) {
    return { file, state: { status: 'unreadable', reason: messageOf(error) } };
  }
}

function parseState(file: ClientFile, source: ConfigText): ClientFileState {
  // Some clients create the file empty.
  const { root, value, problems } = parseJsonc(source.text.trim() === '' ? '{}' : source.text);
  const [problem] = problems;
  if (!root || !isJsonObject(value) || problem) {
    const { line = 1, column = 1, path = '', message = 'not an object' } = problem ?? {};
    const where = [`${file.path}:${line}:${column}`, path].filter((part) => part !== '');
    return { status: 'unreadable', reason: [...where, message].join(': ') };
  }
  for (const path of file.serverPaths) {
    const servers = valueAtPath(value, path);
    if (servers !== undefined && !isJsonObject(servers)) {
      const reason = `${file.path}: ${dottedPath(path)}: expected an object of servers`;
      return { status: 'unreadable', reason };
    }
  }
  return { status: 'read', source, value };
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
