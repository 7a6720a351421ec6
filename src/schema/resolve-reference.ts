import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { childAt, decodeFragment, escapedKeys, pointerKeys } from './json-pointer.js';
import { absoluteUri, isResource, readDocument } from './schema-document.js';

/** Where a reference stands. */
export interface ReferenceScope {
  /** The whole schema, outside of which nothing is looked for. */
  readonly document: JsonObject;
  /** The resource that `#` means: the document, or a schema inside it with an `$id`. */
  readonly root: JsonObject;
}

export interface ReferenceTarget {
  readonly schema: JsonValue;
  /** The resource that `#` means inside the target. */
  readonly root: JsonObject;
}

/** By document, resource and text: a value of many items asks for the same one as many times. */
const known = new WeakMap<JsonObject, Map<JsonObject, Map<string, ReferenceTarget | undefined>>>();

/**
 * Follows one `$ref` by the rules of JSON Schema 2020-12: a JSON Pointer, an anchor, or the URI of a
 * schema with an `$id`. Undefined for what leads nowhere or out of the document: nothing is ever
 * fetched. The target may be a reference again.
 */
export function resolveReference(
  reference: string,
  { document, root }: ReferenceScope,
): ReferenceTarget | undefined {
  const roots = known.get(document) ?? new Map<JsonObject, Map<string, ReferenceTarget>>();
  const targets = roots.get(root) ?? new Map<string, ReferenceTarget | undefined>();
  if (targets.has(reference)) return targets.get(reference);
  const target = findTarget(reference, { document, root });
  targets.set(reference, target);
  known.set(document, roots.set(root, targets));
  return target;
}

/** The resource that `#` means in a schema of the document. */
function resourceAround(schema: JsonObject, document: JsonObject): JsonObject {
  return readDocument(document).around.get(schema) ?? document;
}

/** The schema that a `$ref` of this one means, if it has one that leads somewhere. */
export function referredBy(schema: JsonObject, document: JsonObject): JsonValue | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return undefined;
  const root = resourceAround(schema, document);
  return resolveReference(reference, { document, root })?.schema;
}

/** The schema at the end of a chain of references; the last that leads on where they go in circles. */
export function followReferences(schema: JsonValue, document: JsonObject): JsonValue {
  const passed = new Set<JsonValue>();
  let last = schema;
  while (isJsonObject(last)) {
    passed.add(last);
    const next = referredBy(last, document);
    if (next === undefined || passed.has(next)) return last;
    last = next;
  }
  return last;
}

function findTarget(
  reference: string,
  { document, root }: ReferenceScope,
): ReferenceTarget | undefined {
  const [, uri = '', encoded = ''] = /^([^#]*)#?(.*)$/s.exec(reference) ?? [];
  const fragment = decodeFragment(encoded);
  const resource = uri === '' ? root : findResource(uri, { document, root });
  if (!resource) return undefined;
  if (fragment === '') return { schema: resource, root: resource };
  if (fragment.startsWith('/')) {
    // Some servers escape a key as a whole, slashes included, instead of writing `~1`.
    return atPointer(pointerKeys(fragment), resource) ?? atPointer(escapedKeys(encoded), resource);
  }
  const anchored = readDocument(document).anchors.get(resource)?.get(fragment);
  return anchored && { schema: anchored, root: resource };
}

function findResource(uri: string, { document, root }: ReferenceScope): JsonObject | undefined {
  const { resources, uris } = readDocument(document);
  const absolute = absoluteUri(uri, uris.get(root));
  return absolute === undefined ? undefined : resources.get(absolute);
}

function atPointer(keys: readonly string[], resource: JsonObject): ReferenceTarget | undefined {
  let target: ReferenceTarget = { schema: resource, root: resource };
  for (const key of keys) {
    const schema = childAt(target.schema, key);
    if (schema === undefined) return undefined;
    target = { schema, root: isResource(schema) ? schema : target.root };
  }
  return target;
}
