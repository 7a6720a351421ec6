import { type JsonObject, PmlError } from '../core/index.js';
import type { ClientFile } from './client-files.js';
import { formatOf } from './formats/format-of.js';
import { ownEntry } from './own-entry.js';
import { type Launch, PML_NAME, pmlEntry } from './pml-entry.js';
import { type ReadFile, serversAt, valueAtPath } from './read-client-file.js';
import { isSameEntry, serverChanges } from './server-changes.js';

/**
 * The text of a client's file with PML as its only server, everything else untouched. `undefined`
 * when it already is so. With `launch` undefined the file gets no server at all.
 */
export function rewriteClient(
  { file, state }: ReadFile,
  launch: Launch | undefined,
): string | undefined {
  if (state.status === 'unreadable') throw new PmlError('CONFIG_INVALID', state.reason);
  const [first = [], ...others] = file.serverPaths;
  const only = launch ? { [PML_NAME]: pmlEntry(file.client, launch) } : {};
  const value = state.status === 'read' ? state.value : {};
  const wanted = [
    { path: first, servers: { ...keptAt(file, value, first), ...only } },
    ...others.map((path) => ({ path, servers: keptAt(file, value, path) })),
  ].filter(({ path, servers }) => !isSameEntry(serversAt(value, path), servers));
  if (wanted.length === 0) return undefined;

  const { text, mark } = state.status === 'read' ? state.source : { text: '', mark: '' };
  const changes = wanted.flatMap(({ path, servers }) =>
    serverChanges(serversAt(value, path), servers, path),
  );
  const edited = formatOf(file.path).edit(text, changes);
  verify(edited, { path: file.path, before: value, wanted });
  return mark + edited;
}

/** What only the client can use, such as its own extensions. */
function keptAt({ client }: ClientFile, value: JsonObject, place: readonly string[]): JsonObject {
  const entries = Object.entries(serversAt(value, place));
  return Object.fromEntries(entries.filter(([, one]) => ownEntry(client, one) === undefined));
}

interface Expectation {
  readonly path: string;
  readonly before: JsonObject;
  readonly wanted: readonly { readonly path: readonly string[]; readonly servers: JsonObject }[];
}

/** Makes sure that the edit did what was meant and nothing else, before anything is written. */
function verify(text: string, { path, before, wanted }: Expectation): void {
  const parsed = formatOf(path).parse(text);
  const isGood =
    parsed.ok &&
    wanted.every((one) => isSameEntry(valueAtPath(parsed.value, one.path) ?? {}, one.servers)) &&
    Object.keys(before)
      .filter((key) => wanted.every((one) => one.path[0] !== key))
      .every((key) => isSameEntry(parsed.value[key], before[key]));
  if (!isGood) {
    throw new PmlError('CONFIG_INVALID', `${path} could not be edited safely; it is left as it is`);
  }
}
