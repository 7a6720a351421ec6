import { isJsonObject, type JsonObject } from '../core/index.js';

/** Where a schema stands: what its `$ref`s mean, and how much of it may still be shown. */
export interface SchemaScope {
  /** The whole schema that `#/…` points into. */
  readonly root: JsonObject;
  /** Levels of nested objects still shown. */
  readonly depth: number;
  /** References being followed, so that a recursive type ends. */
  readonly following: readonly string[];
  /** Shared by the whole type: schemas still to be looked at before we give up. */
  readonly budget: { nodes: number };
}

const MAX_NODES = 400;

export function scopeOf(root: JsonObject, depth: number): SchemaScope {
  return { root, depth, following: [], budget: { nodes: MAX_NODES } };
}

export function enter(scope: SchemaScope): SchemaScope {
  return { ...scope, depth: scope.depth - 1 };
}

/** Follows `#/…` inside the root. Nothing for a recursive, dangling or outside reference. */
export function resolveReference(
  reference: string,
  scope: SchemaScope,
): { schema: unknown; scope: SchemaScope } | undefined {
  if (!reference.startsWith('#') || scope.following.includes(reference)) return undefined;
  let schema: unknown = scope.root;
  for (const segment of reference.split('/').slice(1)) {
    const key = decodeSegment(segment);
    if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key))
      return undefined;
    schema = (schema as JsonObject)[key];
  }
  if (!isJsonObject(schema)) return undefined;
  return { schema, scope: { ...scope, following: [...scope.following, reference] } };
}

function decodeSegment(segment: string): string {
  const plain = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain; // Not percent-encoded after all.
  }
}
