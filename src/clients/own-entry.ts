import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import type { Client } from './client-files.js';

/** An entry of a client in the names that most clients use. */
export interface OwnEntry {
  /** Its texts have the references of the client. */
  readonly value: JsonValue;
  /** What is already written as in our configuration. */
  readonly ours: JsonObject;
}

/** Undefined for what is no MCP server of the user: the client keeps it. */
export function ownEntry(client: Client, value: JsonValue): OwnEntry | undefined {
  if (!isJsonObject(value)) return { value, ours: {} };
  switch (client) {
    case 'codex':
      return ofCodex(value);
    case 'gemini':
      return ofGemini(value);
    case 'zed':
      return ofZed(value);
    case 'goose':
      return ofGoose(value);
    case 'opencode':
      return ofOpencode(value);
    default:
      return { value, ours: {} };
  }
}

function ofCodex({
  bearer_token_env_var: bearer,
  http_headers: headers,
  env_http_headers: envHeaders,
  env_vars: passed,
  enabled_tools: allow,
  disabled_tools: deny,
  tool_timeout_sec: timeout,
  ...rest
}: JsonObject): OwnEntry {
  const named = Array.isArray(passed) ? passed.map(nameOfVariable) : [];
  return {
    value: { ...rest, ...(headers !== undefined && { headers }) },
    ours: {
      ...map('headers', [
        ...(typeof bearer === 'string' ? [['Authorization', `Bearer \${${bearer}}`] as const] : []),
        ...Object.entries(isJsonObject(envHeaders) ? envHeaders : {}).map(
          ([name, variable]) => [name, reference(variable)] as const,
        ),
      ]),
      ...map(
        'env',
        named.map((name) => [name, reference(name)]),
      ),
      ...filter(allow, deny),
      ...seconds(timeout),
    },
  };
}

function nameOfVariable(value: JsonValue): string {
  const name = isJsonObject(value) ? value['name'] : value;
  return typeof name === 'string' ? name : '';
}

function ofGemini({ includeTools, excludeTools, timeout, ...rest }: JsonObject): OwnEntry {
  const ms = typeof timeout === 'number' && timeout > 0 ? { timeoutMs: Math.ceil(timeout) } : {};
  return { value: rest, ours: { ...filter(includeTools, excludeTools), ...ms } };
}

/** Older versions write the command as an object; servers of extensions have none. */
function ofZed({ source: _source, ...rest }: JsonObject): OwnEntry | undefined {
  const { command } = rest;
  if (command === undefined && rest['url'] === undefined) return undefined;
  if (!isJsonObject(command)) return { value: rest, ours: {} };
  const { path, args, env } = command;
  return {
    value: {
      ...rest,
      ...(path !== undefined && { command: path }),
      ...(args !== undefined && { args }),
      ...(isJsonObject(env) && { env }),
    },
    ours: {},
  };
}

/** Goose has tools of its own among the extensions, and keeps secrets in the keychain by name. */
function ofGoose(value: JsonObject): OwnEntry | undefined {
  const { type, cmd, args, envs, env_keys: keys, uri, headers, timeout, enabled } = value;
  if (type !== 'stdio' && type !== 'sse' && type !== 'streamable_http') return undefined;
  const secrets = Array.isArray(keys) ? keys.map(nameOfVariable) : [];
  const common = { ...filter(value['available_tools'], undefined), ...seconds(timeout) };
  const shown = enabled === undefined ? {} : { enabled };
  if (type !== 'stdio') {
    const sent = Object.entries(isJsonObject(headers) ? headers : {}).map(
      ([name, one]) => [name, typeof one === 'string' ? bracedVariables(one) : one] as const,
    );
    return {
      value: { ...shown, ...(uri !== undefined && { url: uri }), ...(type === 'sse' && { type }) },
      ours: { ...common, ...map('headers', sent) },
    };
  }
  return {
    value: {
      ...shown,
      ...(cmd !== undefined && { command: cmd }),
      ...(args !== undefined && { args }),
      ...(isJsonObject(envs) && { env: envs }),
    },
    ours: {
      ...common,
      ...map(
        'env',
        secrets.map((name) => [name, reference(name)]),
      ),
    },
  };
}

function ofOpencode(value: JsonObject): OwnEntry | undefined {
  const { type, command, environment, timeout, oauth: _oauth, ...rest } = value;
  if (type !== 'local' && type !== 'remote') return undefined;
  const [program, ...args] = Array.isArray(command) ? command : [];
  const ms = typeof timeout === 'number' && timeout > 0 ? { timeoutMs: Math.ceil(timeout) } : {};
  return {
    value: {
      ...rest,
      ...(program !== undefined && { command: program, args }),
      ...(environment !== undefined && { env: environment }),
    },
    ours: ms,
  };
}

/** `$NAME` as `${NAME}`. */
export function bracedVariables(text: string): string {
  return text.replaceAll(/\$([A-Za-z_]\w*)/g, (_match, name: string) => `\${${name}}`);
}

function reference(name: JsonValue): JsonValue {
  return typeof name === 'string' ? `\${${name}}` : name;
}

function map(key: string, entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) };
}

function filter(allow: JsonValue | undefined, deny: JsonValue | undefined): JsonObject {
  const isList = (value: JsonValue | undefined) => Array.isArray(value) && value.length > 0;
  const tools = {
    ...(isList(allow) && { allow: allow as JsonValue }),
    ...(isList(deny) && { deny: deny as JsonValue }),
  };
  return Object.keys(tools).length === 0 ? {} : { tools };
}

function seconds(timeout: JsonValue | undefined): JsonObject {
  return typeof timeout === 'number' && timeout > 0 ? { timeoutMs: Math.ceil(timeout * 1000) } : {};
}
