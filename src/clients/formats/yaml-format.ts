import {
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  stringify,
} from 'yaml';

import type { Change } from '../../config/text/edit-jsonc.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import type { FileFormat } from './file-format.js';

/** YAML, of which single entries are replaced and everything else stays as it is. */
export const yamlFormat: FileFormat = {
  name: 'YAML',
  parse(text) {
    const counter = new LineCounter();
    const document = parseDocument(text, { lineCounter: counter });
    const [error] = document.errors;
    if (error) {
      const { line, col } = counter.linePos(error.pos[0]);
      const [message = 'not valid YAML'] = error.message.split('\n');
      return { ok: false, where: `:${line}:${col}`, message };
    }
    const value = JSON.parse(JSON.stringify(document.toJS() ?? {})) as JsonValue;
    if (isJsonObject(value)) return { ok: true, value };
    return { ok: false, where: ':1:1', message: 'expected a map of settings' };
  },
  edit: (text, changes) => changes.reduce(replaceEntry, text),
};

function replaceEntry(text: string, { path, value }: Change): string {
  const removed = removeEntry(text, path);
  return value === undefined ? removed : addEntry(removed, path, value);
}

/** Without the entry and its lines; comments before it belong to what stands above. */
function removeEntry(text: string, path: readonly string[]): string {
  const found = findEntry(text, path);
  if (!found) return text;
  const start = text.lastIndexOf('\n', found.start - 1) + 1;
  const end = text.indexOf('\n', Math.max(found.end - 1, found.start));
  return text.slice(0, start) + (end < 0 ? '' : text.slice(end + 1));
}

interface Found {
  readonly start: number;
  readonly end: number;
  /** Offset of the first key of the map that it holds, if it holds one in lines of its own. */
  readonly inner: number | undefined;
}

function findEntry(text: string, path: readonly string[]): Found | undefined {
  let map: unknown = parseDocument(text).contents;
  let found: Pair | undefined;
  for (const key of path) {
    if (!isMap(map)) return undefined;
    found = map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
    map = found?.value;
  }
  if (!isScalar(found?.key) || !found.key.range) return undefined;
  const { value, key } = found;
  const ranged = isCollection(value) || isScalar(value) ? value : undefined;
  const first = isMap(value) && !value.flow ? value.items[0]?.key : undefined;
  return {
    start: key.range?.[0] ?? 0,
    end: ranged?.range?.[1] ?? key.range?.[1] ?? 0,
    inner: isScalar(first) ? first.range?.[0] : undefined,
  };
}

/** At the end of the map that it belongs to, which is made if there is none. */
function addEntry(text: string, path: readonly string[], value: JsonValue): string {
  const parent = path.slice(0, -1);
  const [key = ''] = path.slice(-1);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const write = (what: JsonObject, indent: string) =>
    stringify(what, { lineWidth: 0 })
      .trimEnd()
      .split('\n')
      .map((line) => `${line === '' ? '' : indent}${line}${eol}`)
      .join('');
  const entry = { [key]: value };
  if (parent.length === 0) return atEnd(text, write(entry, ''), eol);
  const holder = findEntry(text, parent);
  if (!holder) return addEntry(text, parent, entry);
  // A map in braces, or an empty one, is rewritten.
  if (holder.inner === undefined) {
    return addEntry(removeEntry(text, parent), parent, { ...mapAt(text, parent), ...entry });
  }
  const indent = text.slice(text.lastIndexOf('\n', holder.inner - 1) + 1, holder.inner);
  const line = text.indexOf('\n', holder.end - 1);
  return line < 0
    ? atEnd(text, write(entry, indent), eol)
    : text.slice(0, line + 1) + write(entry, indent) + text.slice(line + 1);
}

function mapAt(text: string, path: readonly string[]): JsonObject {
  const value: unknown = parseDocument(text).getIn(path, false);
  const plain: unknown = isCollection(value) ? value.toJSON() : {};
  return JSON.parse(JSON.stringify(plain ?? {})) as JsonObject;
}

function atEnd(text: string, written: string, eol: string): string {
  return text + (text === '' || text.endsWith('\n') ? '' : eol) + written;
}
