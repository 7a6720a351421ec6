import { type Change, editJsonc } from '../config/text/edit-jsonc.js';
import { parseJsonc } from '../config/text/parse-jsonc.js';
import { canonicalJson, isJsonObject, type JsonObject, PmlError } from '../core/index.js';
import { type Launch, PML_NAME, pmlEntry } from './pml-entry.js';
import { type ReadFile, serversAt, valueAtPath } from './read-client-file.js';

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
  const changes: Change[] = [
    { path: first, value: only },
    ...others.map((path) => ({ path, value: {} })),
  ].filter(
    (change) => canonicalJson(serversAt(value, change.path)) !== canonicalJson(change.value),
  );
  if (changes.length === 0) return undefined;

  const { text, mark } = state.status === 'read' ? state.source : { text: '', mark: '' };
  const edited = editJsonc(text, changes);
  verify(edited, { path: file.path, before: value, changes });
  return mark + edited;
}

interface Expectation {
  readonly path: string;
  readonly before: JsonObject;
  readonly changes: readonly Change[];
}

/** Makes sure that the edit did what was meant and nothing else, before anything is written. */
function verify(text: string, { path, before, changes }: Expectation): void {
  const { value, problems } = parseJsonc(text);
  const isGood =
    problems.length === 0 &&
    isJsonObject(value) &&
    changes.every((change) => same(valueAtPath(value, change.path), change.value)) &&
    Object.keys(before)
      .filter((key) => changes.every((change) => change.path[0] !== key))
      .every((key) => same(value[key], before[key]));
  if (!isGood) {
    throw new PmlError('CONFIG_INVALID', `${path} could not be edited safely; it is left as it is`);
  }
}

function same(a: JsonObject[string] | undefined, b: JsonObject[string] | undefined): boolean {
  return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b);
}
