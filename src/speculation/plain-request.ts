import { isJsonObject, type JsonObject } from '../core/index.js';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '../rpc/index.js';

/** What clients send with a call that does not change what they ask for. */
const HARMLESS_META: ReadonlySet<string> = new Set([
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  'progressToken',
  'claudecode/toolUseId',
  'traceparent',
  'tracestate',
  'baggage',
]);

/**
 * Whether name and arguments are all that a call says. Answers to a question of the server, or `_meta`
 * that PML does not know, may change what the server gives: then no result from before will do.
 */
export function isPlainRequest(params: JsonObject): boolean {
  const { _meta: meta, inputResponses, requestState } = params;
  if (inputResponses !== undefined || requestState !== undefined) return false;
  return !isJsonObject(meta) || Object.keys(meta).every((key) => HARMLESS_META.has(key));
}
