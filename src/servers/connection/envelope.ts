import { isJsonObject, type JsonObject } from '../../core/index.js';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  MODERN_VERSION,
} from '../../rpc/index.js';

/**
 * What we offer to a server. We pass on what its clients offer, so we claim it all; a client that
 * lacks something makes that one request fail, not the connection.
 */
export const CLIENT_CAPABILITIES: JsonObject = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
};

export interface ClientIdentity {
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
}

/** Adds the envelope of the modern revision, unless the caller passes on one that is complete. */
export function withEnvelope(params: JsonObject | undefined, client: ClientIdentity): JsonObject {
  const meta = isJsonObject(params?.['_meta']) ? params['_meta'] : {};
  return {
    ...params,
    _meta: {
      [CLIENT_INFO_META_KEY]: client.info,
      [CLIENT_CAPABILITIES_META_KEY]: client.capabilities,
      ...meta,
      [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
    },
  };
}
