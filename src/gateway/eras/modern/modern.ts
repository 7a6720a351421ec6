import { asText, isJsonObject, type JsonObject } from '../../../core/index.js';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  MODERN_VERSION,
} from '../../../rpc/index.js';

/** The parts of the stateless revision: what a request carries, what an answer must. */

export const MODERN_METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'skills/list',
  'skills/get',
  'subscriptions/listen',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
]);

const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'skills/list',
  'skills/get',
]);

export interface Envelope {
  readonly version: string;
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly logLevel: string | undefined;
}

/** The envelope of a request, or undefined when it speaks the older protocol. */
export function readEnvelope(params: JsonObject | undefined): Envelope | undefined {
  const meta = params?.['_meta'];
  if (!isJsonObject(meta) || !(PROTOCOL_VERSION_META_KEY in meta)) return undefined;
  const info = meta[CLIENT_INFO_META_KEY];
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  const level = meta[LOG_LEVEL_META_KEY];
  return {
    version: asText(meta[PROTOCOL_VERSION_META_KEY]),
    info: isJsonObject(info) ? info : {},
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    logLevel: typeof level === 'string' ? level : undefined,
  };
}

/** What is wrong with the envelope of a request, or undefined. */
export function envelopeFault(params: JsonObject | undefined): string | undefined {
  const meta = params?.['_meta'];
  if (!isJsonObject(meta)) return '_meta is missing';
  if (!isJsonObject(meta[CLIENT_CAPABILITIES_META_KEY])) {
    return `_meta["${CLIENT_CAPABILITIES_META_KEY}"] is missing`;
  }
  return undefined;
}

export function isSupported(version: string): boolean {
  return version === MODERN_VERSION;
}

/** Adds what every answer of the stateless revision carries. */
export function encodeResult(method: string, result: JsonObject, info: JsonObject): JsonObject {
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {};
  const resultType = result['resultType'] ?? 'complete';
  const isCacheable = CACHEABLE.has(method) && resultType === 'complete';
  return {
    ...(isCacheable && { ttlMs: 0, cacheScope: 'private' }),
    ...result,
    resultType,
    _meta: { [SERVER_INFO_META_KEY]: info, ...meta },
  };
}
