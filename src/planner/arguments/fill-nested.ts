import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import {
  inputParameters,
  propertiesOf,
  resolveSchema,
  type ToolParameter,
} from '../../schema/index.js';
import { checkArgs } from '../../validation/index.js';

/** Deeper ones are asked for as a whole. */
const FILLED_LEVELS = 3;
const MOST_INSIDE = 40;

/**
 * Parameters of a tool, where a required object stands for what it is made of: `task.title`. Of a list
 * of objects it is the first one: `edits[0].oldText`.
 */
export function placesInside(schema: JsonObject): readonly ToolParameter[] {
  return inputParameters(schema).flatMap((parameter) =>
    parameter.isRequired && parameter.fallback === undefined
      ? inside(parameter, schema, FILLED_LEVELS)
      : [parameter],
  );
}

/** What one required parameter is made of; itself where it is no object. */
export function partsOfParameter(schema: JsonObject, param: string): readonly ToolParameter[] {
  const parameter = inputParameters(schema).find(({ path }) => path === param);
  return parameter ? inside(parameter, schema, FILLED_LEVELS) : [];
}

function inside(
  parameter: ToolParameter,
  root: JsonObject,
  levels: number,
): readonly ToolParameter[] {
  const own = schemaAt(root, parameter.path);
  const items = resolveSchema(own['items'], root);
  const isList = isJsonObject(items['properties']) && !isJsonObject(own['properties']);
  if (levels === 0) return [parameter];
  const object = isList ? items : own;
  const parts = inputParameters(object, root);
  const isPlain = [parameter, ...parts].every(({ names }) =>
    names.every((name) => PLAIN_KEY.test(name)),
  );
  if (parts.length === 0 || parts.length > MOST_INSIDE || !isPlain) return [parameter];
  const before = isList ? `${parameter.path}[0]` : parameter.path;
  return parts.flatMap((part) => {
    const placed: ToolParameter = {
      ...part,
      path: `${before}.${part.path}`,
      names: [...parameter.names, ...part.names],
      isRequired: parameter.isRequired && part.isRequired,
    };
    return placed.isRequired && placed.fallback === undefined
      ? inside(placed, root, levels - 1)
      : [placed];
  });
}

const PLAIN_KEY = /^[^.[\]]+$/;
const STEP = /[^.[\]]+/g;

/** `edits[0].oldText` → `edits`, 0, `oldText`. A parameter may itself be called so. */
function stepsOf(path: string, schema: JsonObject): readonly (string | number)[] {
  if (Object.hasOwn(propertiesOf(schema), path)) return [path];
  return Array.from(path.matchAll(STEP), ({ 0: step, index }) =>
    path[index - 1] === '[' ? Number(step) : step,
  );
}

function schemaAt(root: JsonObject, path: string): JsonObject {
  let schema = resolveSchema(root, root);
  for (const step of stepsOf(path, schema)) {
    const next = typeof step === 'number' ? schema['items'] : propertyAt(schema, step);
    schema = resolveSchema(next, root);
  }
  return schema;
}

function propertyAt(schema: JsonObject, name: string): JsonValue | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/**
 * The value at such a path; nothing where there is none. Of several items of a list it cannot be said
 * which one is meant, unless the path is known to be about that list (`ofMany`).
 */
export function valueAt(
  args: JsonObject,
  path: string,
  { ofMany = false }: { readonly ofMany?: boolean } = {},
): JsonValue | undefined {
  if (Object.hasOwn(args, path)) return args[path];
  let value: JsonValue | undefined = args;
  for (const step of stepsOf(path, {})) {
    if (typeof step === 'number') {
      const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
      value = ofMany || items.length === 1 ? items[step] : undefined;
    } else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The same with a value there, and nothing else changed. */
export function withValueAt(
  args: JsonObject,
  path: string,
  { value, schema }: { readonly value: JsonValue; readonly schema: JsonObject },
): JsonObject {
  return put(args, stepsOf(path, resolveSchema(schema, schema)), value) as JsonObject;
}

/** The parameter a path is in, which is itself where it is no path. */
export function parameterOf(path: string, schema: JsonObject): string {
  return String(stepsOf(path, resolveSchema(schema, schema))[0] ?? path);
}

function put(
  whole: JsonValue | undefined,
  [step, ...rest]: readonly (string | number)[],
  value: JsonValue,
): JsonValue {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(whole) ? (whole as readonly JsonValue[]) : [];
    return list.toSpliced(step, 1, put(list[step], rest, value));
  }
  const object = isJsonObject(whole) ? whole : {};
  return { ...object, [step]: put(object[step], rest, value) };
}

/** Whether the schema takes the value there: type, choice, pattern, bounds. */
export function isAllowed(schema: JsonObject, param: string, value: JsonValue): boolean {
  const { required: _, ...rest } = schema;
  const wrong = checkArgs(rest, withValueAt({}, param, { value, schema }), () => false);
  return !wrong.some(
    ({ path }) => path === param || path.startsWith(`${param}.`) || path.startsWith(`${param}[`),
  );
}
