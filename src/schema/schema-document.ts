import { asText, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

/**
 * What can be named in a schema without a JSON Pointer: the schemas inside with an `$id`, which are
 * documents of their own, and the anchors of each. The `id` of draft 4 is not read.
 */
export interface SchemaDocument {
  /** Resources by their absolute URI. The outermost of two with the same URI is meant. */
  readonly resources: ReadonlyMap<string, JsonObject>;
  readonly uris: ReadonlyMap<JsonObject, string>;
  readonly anchors: ReadonlyMap<JsonObject, ReadonlyMap<string, JsonObject>>;
  /** The resource that a schema is in, if it is not the document itself. */
  readonly around: ReadonlyMap<JsonObject, JsonObject>;
}

/** Far beyond real schemas; what lies deeper than all of these has no name. */
const MOST_SCHEMAS = 50_000;
/** A longer URI names nothing, so that nested ones cannot grow without end. */
const LONGEST_URI = 2_000;
/** What relative URIs are relative to in a document that does not say where it is from. */
const NOWHERE = 'json-schema:///';

const SCHEMAS = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS_OF_SCHEMAS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const MAPS_OF_SCHEMAS = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
];

const documents = new WeakMap<JsonObject, SchemaDocument>();

/** Reads the names of a document, once. Examples, defaults and constants are data and not looked into. */
export function readDocument(document: JsonObject): SchemaDocument {
  const known = documents.get(document);
  if (known) return known;
  const read = nameSchemas(document);
  documents.set(document, read);
  return read;
}

/** A schema with an `$id` of its own is a document inside the document. */
export function isResource(schema: JsonValue): schema is JsonObject {
  const id = isJsonObject(schema) ? schema['$id'] : undefined;
  return typeof id === 'string' && !id.startsWith('#');
}

/** The absolute URI of a reference, without its fragment. */
export function absoluteUri(reference: string, base: string | undefined): string | undefined {
  if (reference.length > LONGEST_URI) return undefined;
  try {
    const url = new URL(reference, base ?? NOWHERE);
    url.hash = '';
    return url.href.length > LONGEST_URI ? undefined : url.href;
  } catch {
    return undefined; // No URI at all.
  }
}

function nameSchemas(document: JsonObject): SchemaDocument {
  const resources = new Map<string, JsonObject>();
  const uris = new Map<JsonObject, string>();
  const anchors = new Map<JsonObject, Map<string, JsonObject>>();
  const around = new Map<JsonObject, JsonObject>();
  const open = [{ schema: document, outer: document }];
  for (let at = 0; at < open.length; at++) {
    const { schema, outer } = open[at]!;
    const root = at === 0 || isResource(schema) ? schema : outer;
    if (root === schema) nameResource(schema, outer);
    if (root !== document) around.set(schema, root);
    for (const name of anchorsOf(schema)) nameAnchor(name, schema, root);
    for (const inner of schemasIn(schema)) {
      if (open.length < MOST_SCHEMAS) open.push({ schema: inner, outer: root });
    }
  }
  return { resources, uris, anchors, around };

  function nameResource(schema: JsonObject, outer: JsonObject): void {
    const id = isResource(schema) ? asText(schema['$id']) : '';
    const uri = absoluteUri(id, uris.get(outer));
    if (uri === undefined) return;
    uris.set(schema, uri);
    if (!resources.has(uri)) resources.set(uri, schema);
  }

  function nameAnchor(name: string, schema: JsonObject, root: JsonObject): void {
    const named = anchors.get(root) ?? new Map<string, JsonObject>();
    if (!named.has(name)) anchors.set(root, named.set(name, schema));
  }
}

/** Until 2019-09 an `$id` that is only a fragment was an anchor. */
function anchorsOf({ $anchor, $dynamicAnchor, $id }: JsonObject): readonly string[] {
  const old = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined;
  return [$anchor, $dynamicAnchor, old].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
}

function* schemasIn(schema: JsonObject): Iterable<JsonObject> {
  for (const keyword of SCHEMAS) {
    const inner = schema[keyword];
    if (isJsonObject(inner)) yield inner;
  }
  for (const keyword of LISTS_OF_SCHEMAS) {
    const list = schema[keyword];
    if (Array.isArray(list)) yield* (list as readonly JsonValue[]).filter(isJsonObject);
  }
  for (const keyword of MAPS_OF_SCHEMAS) {
    const map = schema[keyword];
    if (isJsonObject(map)) yield* Object.values(map).filter(isJsonObject);
  }
}
