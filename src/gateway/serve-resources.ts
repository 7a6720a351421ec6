import { asText, type JsonObject } from '../core/index.js';
import { RPC, RpcError } from '../rpc/index.js';
import type { Gateway } from './gateway.js';
import { RESULT_URI } from './limit-result.js';
import type { RequestContext } from './request-context.js';

const RESOURCE_NOT_FOUND = -32002;

/** `resources/read`, `resources/subscribe` and `resources/unsubscribe`, sent to the owner. */
export async function passResource(
  gateway: Gateway,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const uri = params['uri'];
  if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 'params.uri is missing');
  if (uri.startsWith(RESULT_URI)) return readKept(gateway, uri);
  const found = gateway.view.findResource(uri);
  if (!found) throw new RpcError(RESOURCE_NOT_FOUND, `Resource not found: ${uri}`, { uri });
  const { caller, signal } = context;
  const server = gateway.pool.get(found.server);
  return server.request(method, { ...params, uri: found.uri }, { caller, signal });
}

function readKept(gateway: Gateway, uri: string): JsonObject {
  const { text, mimeType } = gateway.kept.get(uri.slice(RESULT_URI.length));
  return { contents: [{ uri, mimeType, text }] };
}

/** `prompts/get`, under the name its server knows. */
export async function passPrompt(
  gateway: Gateway,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const entry = gateway.view.prompts.find(asText(params['name']));
  if (!entry) throw new RpcError(RPC.invalidParams, `Unknown prompt: ${asText(params['name'])}`);
  const { caller, signal, onProgress } = context;
  const options = { caller, signal, ...(onProgress && { onProgress }) };
  return gateway.pool
    .get(entry.server)
    .request('prompts/get', { ...params, name: entry.name }, options);
}

/** `completion/complete`, for a prompt or a resource template. */
export async function passCompletion(
  gateway: Gateway,
  params: JsonObject,
  { caller, signal }: RequestContext,
): Promise<JsonObject> {
  const ref = (params['ref'] ?? {}) as JsonObject;
  const prompt = ref['type'] === 'ref/prompt' && gateway.view.prompts.find(asText(ref['name']));
  if (prompt) {
    const renamed = { ...params, ref: { ...ref, name: prompt.name } };
    return gateway.pool
      .get(prompt.server)
      .request('completion/complete', renamed, { caller, signal });
  }
  const owner =
    ref['type'] === 'ref/resource' ? gateway.view.findTemplate(asText(ref['uri'])) : undefined;
  if (!owner)
    throw new RpcError(RPC.invalidParams, `Nothing to complete for ${JSON.stringify(ref)}`);
  return gateway.pool.get(owner).request('completion/complete', params, { caller, signal });
}
