import {
  asText,
  isJsonObject,
  type JsonObject,
  messageOf,
  type ServerName,
} from '../../core/index.js';
import { RESULT_URI } from '../../results/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import { passRequest, type RequestContext, type View } from '../../tools/index.js';
import { SKILL_URI } from '../exposure/skills.js';
import type { Sessions } from '../session/sessions.js';

const RESOURCE_NOT_FOUND = -32002;

/** `resources/read`, `resources/subscribe` and `resources/unsubscribe`, sent to the owner. */
export async function passResource(
  sessions: Sessions,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const uri = params['uri'];
  if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 'params.uri is missing');
  if (uri.startsWith(RESULT_URI)) return readKept(sessions, uri, context);
  const isNarrow = sessions.tools.accessOf(context.caller.principal) !== undefined;
  if (uri.startsWith(SKILL_URI) && sessions.tools.settings.exposure.skills && !isNarrow) {
    return passSkill(sessions, method, uri);
  }
  const found = await sessions.tools.findListed(() =>
    sessions.tools.viewFor(context.caller.principal).findResource(uri),
  );
  if (!found || !sessions.tools.pool.has(found.server)) throw notFound(uri);
  const server = sessions.tools.pool.get(found.server);
  return passRequest(server, method, { ...params, uri: found.uri }, context);
}

async function readKept(
  sessions: Sessions,
  uri: string,
  { caller }: RequestContext,
): Promise<JsonObject> {
  try {
    const { text, mimeType } = await sessions.workflows.results
      .of(caller.principal)
      .get(uri.slice(RESULT_URI.length));
    return { contents: [{ uri, mimeType, text }] };
  } catch (error) {
    throw notFound(uri, messageOf(error));
  }
}

async function passSkill(sessions: Sessions, method: string, uri: string): Promise<JsonObject> {
  await sessions.tools.catalogLoaded;
  const read = sessions.skills.read(uri);
  if (!read) throw notFound(uri);
  // A changed skill also changes the list, and every client gets that notification.
  return method === 'resources/read' ? read : {};
}

/** `prompts/get`, under the name its server knows. */
export async function passPrompt(
  sessions: Sessions,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const name = asText(params['name']);
  const entry = await sessions.tools.findListed(() =>
    sessions.tools.viewFor(context.caller.principal).prompts.find(name),
  );
  if (!entry) throw new RpcError(RPC.invalidParams, `Unknown prompt: ${name}`);
  const server = sessions.tools.pool.get(entry.server);
  return passRequest(server, 'prompts/get', { ...params, name: entry.name }, context);
}

/** `completion/complete`, for a prompt or a resource template. */
export async function passCompletion(
  sessions: Sessions,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const ref = isJsonObject(params['ref']) ? params['ref'] : {};
  const found = await sessions.tools.findListed(() =>
    findCompletable(sessions.tools.viewFor(context.caller.principal), ref),
  );
  if (!found)
    throw new RpcError(RPC.invalidParams, `Nothing to complete for ${JSON.stringify(ref)}`);
  const server = sessions.tools.pool.get(found.server);
  return passRequest(server, 'completion/complete', { ...params, ref: found.ref }, context);
}

function findCompletable(
  view: Pick<View, 'prompts' | 'findTemplate'>,
  ref: JsonObject,
): { server: ServerName; ref: JsonObject } | undefined {
  if (ref['type'] === 'ref/prompt') {
    const prompt = view.prompts.find(asText(ref['name']));
    return prompt && { server: prompt.server, ref: { ...ref, name: prompt.name } };
  }
  const server = ref['type'] === 'ref/resource' ? view.findTemplate(asText(ref['uri'])) : undefined;
  return server && { server, ref };
}

function notFound(uri: string, why = `Resource not found: ${uri}`): RpcError {
  return new RpcError(RESOURCE_NOT_FOUND, why, { uri });
}
