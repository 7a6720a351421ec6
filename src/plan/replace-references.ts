import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { isDottedPath, referenceHead } from './reference.js';
import { resultReference, type ResultReference } from './result-reference.js';

/**
 * The one place that knows what counts as a reference, used both to find and to fill them:
 * - an object `{"$ref": "task.path"}`, replaced whole;
 * - `${task.path}` inside a string, if `task` is a task here. A string that is nothing else keeps
 *   the value's type. `$${task}` and `$${any.path}` stand for the literal text. Any other `${…}` is
 *   left alone: it belongs to a shell, a template or a program (see `misread-placeholders`);
 * - an object `{"$result": "r_…", "path": "rows[0:20].name"}`, replaced whole by a kept result.
 * What takes the place of a reference is data: references in it mean nothing.
 */
export interface ReferenceVisitor {
  isTask(name: string): boolean;
  /** Gives the value that takes the place of a reference like `task.path`. */
  visit(reference: string, path: string): JsonValue;
  /** A text as it is written. */
  text?(text: string, path: string): void;
  /** A `$ref` that names no task but cannot be anything else. */
  unknown?(text: string, path: string): void;
  /** Gives the kept result that takes the place of its name, if there is one. */
  result?(reference: ResultReference, path: string): JsonValue | undefined;
}

const PLACEHOLDER = /(\$?)\$\{([^{}]*)\}/g;
const SOLE_PLACEHOLDER = /^\$\{([^{}]*)\}$/;
const NOT_A_TASK = /[#/:]/;

export function replaceReferences(
  value: JsonValue,
  path: string,
  visitor: ReferenceVisitor,
): JsonValue {
  if (typeof value === 'string') return fillTemplate(value, path, visitor);
  if (Array.isArray(value)) {
    const items = value.map((item, at) => replaceReferences(item, `${path}[${at}]`, visitor));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const named = visitor.result && resultReference(value);
  const result = named && visitor.result?.(named, path);
  if (result !== undefined) return result;
  const target = soleReference(value);
  return target === undefined
    ? replaceInside(value, path, visitor)
    : followReference(value, target, { path, visitor });
}

function replaceInside(value: JsonObject, path: string, visitor: ReferenceVisitor): JsonObject {
  const keys = Object.keys(value);
  const items = keys.map((key) => replaceReferences(value[key]!, `${path}.${key}`, visitor));
  // Most arguments hold no reference, and stay as they are.
  if (items.every((item, at) => item === value[keys[at]!])) return value;
  return Object.fromEntries(keys.map((key, at) => [key, items[at]!]));
}

function soleReference(value: JsonObject): string | undefined {
  const target = value['$ref'];
  return typeof target === 'string' && Object.keys(value).length === 1 ? target : undefined;
}

/** JSON Schema and OpenAPI use `$ref` too; their `#/…` and URLs pass as plain data. */
function followReference(
  value: JsonObject,
  target: string,
  { path, visitor }: { path: string; visitor: ReferenceVisitor },
): JsonValue {
  if (visitor.isTask(referenceHead(target))) return visitor.visit(target, path);
  if (!NOT_A_TASK.test(target)) visitor.unknown?.(target, path);
  return value;
}

function fillTemplate(text: string, path: string, visitor: ReferenceVisitor): JsonValue {
  visitor.text?.(text, path);
  if (!text.includes('${')) return text;
  const sole = SOLE_PLACEHOLDER.exec(text)?.[1];
  if (sole !== undefined && visitor.isTask(referenceHead(sole))) {
    return visitor.visit(sole, path);
  }
  return text.replaceAll(PLACEHOLDER, (whole, escape: string, inner: string) => {
    const isTask = visitor.isTask(referenceHead(inner));
    if (escape) return isTask || isDottedPath(inner.trim()) ? whole.slice(1) : whole;
    return isTask ? textOf(visitor.visit(inner, path)) : whole;
  });
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
