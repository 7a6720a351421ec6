import {
  asText,
  isJsonObject,
  type JsonObject,
  messageOf,
  type ServerName,
} from '../../core/index.js';
import { RESULT_URI } from '../../results/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import { OWNED_URI, passRequest, type RequestContext, type View } from '../../tools/index.js';
import { SKILL_URI } from '../exposure/skills.js';
import type { Served } from '../session/client-scope.js';

const RESOURCE_NOT_FOUND = -32002;

/** `resources/read`, `resources/subscribe` and `resources/unsubscribe`, sent to the owner. */
export async function passResource(
  scope: Served,
  method: string,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const uri = params['uri'];
  if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, 'params.uri is missing');
  if (uri.startsWith(RESULT_URI)) return readKept(scope, uri, context);
  const { tools } = scope;
  const isNarrow = tools.accessOf(context.caller.principal) !== undefined;
  if (uri.startsWith(SKILL_URI) && tools.settings.exposure.skills && !isNarrow) {
    return passSkill(scope, method, uri);
  }
  const found = await findResource(scope, uri, context);
  if (!found || !tools.pool.has(found.server)) throw notFound(uri);
  const server = tools.pool.get(found.server);
  const answer = await passRequest(server, method, { ...params, uri: found.uri }, context);
  // The older form of names for taken addresses shows the address of the server.
  return found.uri === uri || uri.startsWith(OWNED_URI) ? answer : withUri(answer, found.uri, uri);
}

/** A client whose token narrows what it may use gets no skills, so none of their files. */
async function findResource(
  { tools, serverSkills }: Served,
  uri: string,
  context: RequestContext,
): Promise<{ readonly server: ServerName; readonly uri: string } | undefined> {
  const { principal } = context.caller;
  const listed = () => tools.findListed(() => tools.viewFor(principal).findResource(uri));
  if (tools.accessOf(principal)) return listed();
  return serverSkills.known(uri) ?? (await listed()) ?? (await serverSkills.find(uri, context));
}

/** The contents under the address that the client asked for. */
function withUri(answer: JsonObject, from: string, to: string): JsonObject {
  const { contents } = answer;
  if (!Array.isArray(contents)) return answer;
  const renamed = contents.map((one) =>
    isJsonObject(one) && one['uri'] === from ? { ...one, uri: to } : one,
  );
  return { ...answer, contents: renamed };
}

async function readKept(
  scope: Served,
  uri: string,
  { caller }: RequestContext,
): Promise<JsonObject> {
  try {
    const { text, mimeType } = await scope.workflows.results
      .of(caller.principal)
      .get(uri.slice(RESULT_URI.length));
    return { contents: [{ uri, mimeType, text }] };
  } catch (error) {
    throw notFound(uri, messageOf(error));
  }
}

async function passSkill(scope: Served, method: string, uri: string): Promise<JsonObject> {
  await scope.tools.catalogLoaded;
  const read = scope.skills.read(uri);
  if (!read) throw notFound(uri);
  // A changed skill also changes the list, and every client gets that notification.
  return method === 'resources/read' ? read : {};
}

/** `prompts/get`, under the name its server knows. */
export async function passPrompt(
  scope: Served,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const name = asText(params['name']);
  const entry = await scope.tools.findListed(() =>
    scope.tools.viewFor(context.caller.principal).prompts.find(name),
  );
  if (!entry) throw new RpcError(RPC.invalidParams, `Unknown prompt: ${name}`);
  const server = scope.tools.pool.get(entry.server);
  return passRequest(server, 'prompts/get', { ...params, name: entry.name }, context);
}

/** `completion/complete`, for a prompt or a resource template. */
export async function passCompletion(
  scope: Served,
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  const ref = isJsonObject(params['ref']) ? params['ref'] : {};
  const found = await scope.tools.findListed(() =>
    findCompletable(scope.tools.viewFor(context.caller.principal), ref),
  );
  if (!found)
    throw new RpcError(RPC.invalidParams, `Nothing to complete for ${JSON.stringify(ref)}`);
  const server = scope.tools.pool.get(found.server);
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
