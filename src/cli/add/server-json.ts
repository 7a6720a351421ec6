import * as z from 'zod';

import { isJsonObject, type JsonObject, type JsonValue, PmlError } from '../../core/index.js';

/**
 * The `server.json` format of the MCP registry, as far as PML needs it to write an entry. Earlier
 * revisions write names with underscores; both are read.
 */

const Input = z.object({
  description: z.string().optional(),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
  /** Fixed by the author. */
  value: z.string().optional(),
  default: z.string().optional(),
  choices: z.array(z.string()).optional(),
});

const InputWithVariables = Input.extend({ variables: z.record(z.string(), Input).default({}) });

const Argument = InputWithVariables.extend({
  type: z.enum(['positional', 'named']),
  /** Of a named one, with its dashes. */
  name: z.string().optional(),
  valueHint: z.string().optional(),
  isRepeated: z.boolean().default(false),
});

const KeyValue = InputWithVariables.extend({ name: z.string().min(1) });

const Package = z.object({
  registryType: z.string(),
  registryBaseUrl: z.string().optional(),
  identifier: z.string().min(1),
  version: z.string().optional(),
  runtimeHint: z.string().optional(),
  transport: z.object({ type: z.string() }).optional(),
  runtimeArguments: z.array(Argument).default([]),
  packageArguments: z.array(Argument).default([]),
  environmentVariables: z.array(KeyValue).default([]),
});

const Remote = z.object({
  type: z.string(),
  url: z.string().min(1),
  headers: z.array(KeyValue).default([]),
  variables: z.record(z.string(), Input).default({}),
});

const ServerJson = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  version: z.string().optional(),
  repository: z.object({ url: z.string().optional() }).optional(),
  packages: z.array(Package).default([]),
  remotes: z.array(Remote).default([]),
});

export type ServerJson = z.infer<typeof ServerJson>;
export type ServerPackage = z.infer<typeof Package>;
export type ServerRemote = z.infer<typeof Remote>;
export type NamedInput = z.infer<typeof KeyValue>;
export type ServerArgument = z.infer<typeof Argument>;
export type PlainInput = z.infer<typeof Input>;

/** Reads a document of the registry, or the answer of a registry that holds one. */
export function parseServerJson(text: string, from: string): ServerJson {
  const document = documentOf(text, from);
  const parsed = ServerJson.safeParse(withOwnNames(document));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${from}: ${path.join('.') || 'document'}: ${message}`,
  );
  throw new PmlError('BAD_REQUEST', `Not a server.json:\n${problems.slice(0, 10).join('\n')}`);
}

function documentOf(text: string, from: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
  } catch (cause) {
    throw new PmlError('BAD_REQUEST', `${from} is not JSON`, { cause });
  }
  if (!isJsonObject(value)) throw new PmlError('BAD_REQUEST', `${from} holds no object`);
  return isJsonObject(value['server']) ? value['server'] : value;
}

/** `registry_type` as `registryType`, and what else earlier revisions called differently. */
function withOwnNames(value: JsonObject): JsonValue {
  const renamed = camelCased(value) as JsonObject;
  const detail = renamed['versionDetail'];
  const remotes = Array.isArray(renamed['remotes']) ? renamed['remotes'] : [];
  return {
    ...renamed,
    ...(isJsonObject(detail) && detail['version'] !== undefined && { version: detail['version'] }),
    remotes: remotes.map((one: JsonValue) =>
      isJsonObject(one) && one['type'] === undefined
        ? { ...one, type: one['transportType'] ?? 'streamable-http' }
        : one,
    ),
  };
}

/** Names of variables are the author's own and stay. */
function camelCased(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => camelCased(one));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => {
    const name = key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    if (key !== 'variables' || !isJsonObject(one)) return [name, camelCased(one)] as const;
    const kept = Object.entries(one).map(([own, input]) => [own, camelCased(input)] as const);
    return [name, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(entries);
}
