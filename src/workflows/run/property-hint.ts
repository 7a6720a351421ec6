import { isJsonObject, type JsonValue, type ToolId } from '../../core/index.js';

/** A call that a script made, and what it gave. */
export interface ScriptCall {
  readonly tool: ToolId;
  readonly value: JsonValue;
}

const FAILED_AT = /^TypeError.*\n\s+at line (\d+), /;
const ASSIGNED =
  /\b(?:const|let|var)\s+([\w$]+)[^=;\n]*=\s*await\s+mcp(?:\.([\w$]+)|\[["']([^"']+)["']\])(?:\.([\w$]+)|\[["']([^"']+)["']\])\s*\(/g;
const CHAIN = /(?<![\w$.])([\w$]+)((?:\??\.[A-Za-z_$][\w$]*)+)/g;
const SHOWN_KEYS = 12;

/**
 * What a script should have read, where it failed because a result has no such property: the properties
 * that exist. Nothing where the failure has another reason, or the result cannot be told.
 */
export function propertyHint(
  code: string,
  message: string,
  calls: readonly ScriptCall[],
): string | undefined {
  const line = Number(FAILED_AT.exec(message)?.[1] ?? 0);
  const text = code.split('\n')[line - 1];
  if (text === undefined) return undefined;
  const results = resultsOf(code, calls);
  for (const [, name = '', path = ''] of text.matchAll(CHAIN)) {
    const call = results.get(name);
    const hint = call && missingIn(call, name, path.split(/\??\./).slice(1));
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/** By the variable that holds it; of several calls of one tool, the last. */
function resultsOf(code: string, calls: readonly ScriptCall[]): ReadonlyMap<string, ScriptCall> {
  const byTool = new Map(calls.map((call) => [plain(call.tool), call]));
  const found = new Map<string, ScriptCall>();
  for (const [, name = '', server, quoted, tool, quotedTool] of code.matchAll(ASSIGNED)) {
    const call = byTool.get(plain(`${server ?? quoted}:${tool ?? quotedTool}`));
    if (call) found.set(name, call);
  }
  return found;
}

/** Scripts may write `my_server` for `my-server`. */
function plain(tool: string): string {
  return tool.toLowerCase().replaceAll(/[^\p{L}\p{N}:]/gu, '');
}

function missingIn(
  { tool, value }: ScriptCall,
  name: string,
  path: readonly string[],
): string | undefined {
  let current: JsonValue | undefined = value;
  let read = name;
  for (const key of path) {
    if (isJsonObject(current) && Object.hasOwn(current, key)) {
      current = current[key];
      read += `.${key}`;
      continue;
    }
    const known = describeKeys(current, key);
    return known && `${read}.${key} does not exist: ${read} (from ${tool}) ${known}`;
  }
  return undefined;
}

function describeKeys(value: JsonValue | undefined, key: string): string | undefined {
  if (typeof value === 'string') return key in String.prototype ? undefined : 'is a text';
  if (Array.isArray(value)) {
    return key in Array.prototype ? undefined : `is a list of ${value.length}`;
  }
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const more = keys.length > SHOWN_KEYS ? ', …' : '';
  return keys.length === 0 ? 'is empty' : `has ${keys.slice(0, SHOWN_KEYS).join(', ')}${more}`;
}
