import { parse, stringify, TomlError } from 'smol-toml';

import type { Change } from '../../config/text/edit-jsonc.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import type { FileFormat } from './file-format.js';
import { tomlSections } from './toml-sections.js';

/** TOML, of which whole tables are replaced and everything else stays as it is. */
export const tomlFormat: FileFormat = {
  name: 'TOML',
  parse(text) {
    try {
      // Dates become texts: nothing here needs them, and JSON knows none.
      const value = JSON.parse(JSON.stringify(parse(text))) as JsonValue;
      return { ok: true, value: isJsonObject(value) ? value : {} };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const [message = 'not valid TOML'] = error.message.split('\n');
      return { ok: false, where: `:${error.line}:${error.column}`, message };
    }
  },
  edit: (text, changes) => changes.reduce(replaceTables, text),
};

/** Removes the tables at a path and below it, and writes the new ones where the first of them was. */
function replaceTables(text: string, { path, value }: Change): string {
  const isBelow = (keys: readonly string[]) => path.every((key, index) => keys[index] === key);
  const removed = tomlSections(text).filter((section) => isBelow(section.path));
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = tablesOf(path, value).replaceAll('\n', eol);
  const [first] = removed;
  if (!first) return append(text, written, eol);
  const parts = removed.map(
    ({ start, end }, index) =>
      commentsAfter(text.slice(start, end)) +
      text.slice(end, removed[index + 1]?.start ?? text.length),
  );
  const rest = parts.join('');
  const gap = written !== '' && rest.trim() !== '' ? eol : '';
  return text.slice(0, first.start) + written + gap + rest;
}

/** Comments at the end of a table usually speak of what follows it. */
function commentsAfter(section: string): string {
  const comments = section.slice(bodyEnd(section));
  return comments.includes('#') ? comments : '';
}

function bodyEnd(section: string): number {
  const lines = section.split(/(?<=\n)/);
  const last = lines.findLastIndex((line) => !/^\s*(#|$)/.test(line));
  return lines.slice(0, last + 1).join('').length;
}

function append(text: string, written: string, eol: string): string {
  if (written === '') return text;
  const end = text === '' || text.endsWith('\n') ? '' : eol;
  return text + end + (text.trim() === '' ? '' : eol) + written;
}

function tablesOf(path: readonly string[], value: JsonValue | undefined): string {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return '';
  const nested = path.toReversed().reduce<JsonObject>((inner, key) => ({ [key]: inner }), value);
  // TOML has no null; a server that has one was refused before.
  return `${stringify(nested).trimEnd()}\n`;
}
