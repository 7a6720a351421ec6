import { isJsonObject, type JsonObject } from '../core/index.js';
import { type ReferenceScope, resolveReference } from './resolve-reference.js';
import { isResource } from './schema-document.js';

/** Where a schema stands: what its `$ref`s mean, and how much of it may still be shown. */
export interface SchemaScope extends ReferenceScope {
  /** Levels of nested objects still shown. */
  readonly depth: number;
  /** Targets of the references being followed, so that a recursive type ends. */
  readonly following: readonly JsonObject[];
  /** Shared by the whole type: schemas still to be looked at before we give up. */
  readonly budget: { nodes: number };
}

const MAX_NODES = 400;

export function scopeOf(document: JsonObject, depth: number): SchemaScope {
  return { document, root: document, depth, following: [], budget: { nodes: MAX_NODES } };
}

/** The scope one level of objects deeper. */
export function enterSchema(scope: SchemaScope): SchemaScope {
  return { ...scope, depth: scope.depth - 1 };
}

/** The scope inside a schema, in which `#` means the schema itself if that has an `$id`. */
export function within(schema: JsonObject, scope: SchemaScope): SchemaScope {
  return isResource(schema) ? { ...scope, root: schema } : scope;
}

/** Follows a reference to a schema. Nothing for a recursive, dangling or outside one. */
export function follow(
  reference: string,
  scope: SchemaScope,
): { schema: JsonObject; scope: SchemaScope } | undefined {
  const target = resolveReference(reference, scope);
  if (!isJsonObject(target?.schema) || scope.following.includes(target.schema)) return undefined;
  const following = [...scope.following, target.schema];
  return { schema: target.schema, scope: { ...scope, root: target.root, following } };
}
