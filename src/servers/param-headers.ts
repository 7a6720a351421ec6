/**
 * `x-mcp-header` of revision 2026-07-28, streamable HTTP: a tool names parameters whose values the
 * client repeats in headers `Mcp-Param-{name}`, so that intermediaries can route by them.
 */
import { isJsonObject, type JsonObject, type JsonValue, MOST_JSON_LEVELS } from '../core/index.js';

/** A parameter and the header that repeats its value. */
export interface HeaderParam {
  /** Names of properties, from the outermost. */
  readonly path: readonly string[];
  readonly header: string;
}

export type HeaderParams =
  | { readonly ok: true; readonly params: readonly HeaderParam[] }
  /** A client must not list such a tool. */
  | { readonly ok: false; readonly fault: string };

const MARK = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** A field name of RFC 9110. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** The parameters that a schema marks, or what is wrong with a mark. */
export function readHeaderParams(inputSchema: JsonObject): HeaderParams {
  const params: HeaderParam[] = [];
  const fault = findMarks(inputSchema, { path: [], isReachable: true, level: 0 }, params);
  if (fault !== undefined) return { ok: false, fault };
  const names = params.map(({ header }) => header.toLowerCase());
  const twice = params.find((_, place) => names.indexOf(names[place]!) !== place);
  return twice
    ? { ok: false, fault: `${MARK} "${twice.header}" is used for several parameters` }
    : { ok: true, params };
}

/** The headers of a call. A parameter without a value has none. */
export function paramHeaders(
  params: readonly HeaderParam[],
  args: JsonValue | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    params.flatMap(({ path, header }) => {
      const text = textOf(path.reduce(childOf, args));
      return text === undefined ? [] : [[`${PREFIX}${header}`, encodeHeader(text)]];
    }),
  );
}

/** What a header field cannot hold as it is goes as Base64, and so does what looks like it. */
export function encodeHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=');
  return isPlain && !looksEncoded ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

interface Place {
  readonly path: readonly string[];
  /** Only `properties` lead there, so that every call has at most one value at that place. */
  readonly isReachable: boolean;
  readonly level: number;
}

function findMarks(
  schema: JsonValue,
  { path, isReachable, level }: Place,
  found: HeaderParam[],
): string | undefined {
  if (typeof schema !== 'object' || schema === null || level > MOST_JSON_LEVELS) return undefined;
  if (isJsonObject(schema) && schema[MARK] !== undefined) {
    const fault = isReachable && path.length > 0 ? faultOf(schema) : 'stands where it may not';
    if (fault !== undefined) return `${MARK} of ${path.join('.') || 'the root'} ${fault}`;
    found.push({ path, header: schema[MARK] as string });
  }
  for (const [key, part] of Object.entries(schema) as [string, JsonValue][]) {
    // What a schema says by example is no schema.
    if (DATA.has(key)) continue;
    const fault =
      key === 'properties' && isJsonObject(part) && isJsonObject(schema)
        ? Object.entries(part).reduce<string | undefined>((before, [name, one]) => {
            const place = { path: [...path, name], isReachable, level: level + 1 };
            return before ?? findMarks(one, place, found);
          }, undefined)
        : findMarks(part, { path: [...path, key], isReachable: false, level: level + 1 }, found);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const DATA: ReadonlySet<string> = new Set([MARK, 'default', 'const', 'enum', 'examples']);

function faultOf(schema: JsonObject): string | undefined {
  const { [MARK]: name, type } = schema;
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'is no name of a header';
  return TYPES.has(type) ? undefined : 'is only allowed for a string, an integer or a boolean';
}

function childOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Nothing for what has no exact text: an integer beyond the safe range, a value of another type. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
