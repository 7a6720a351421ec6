import { asText, type JsonObject } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import type { RequestContext } from '../../tools/index.js';
import { SKILL_URI } from '../exposure/skills.js';
import { methodNotFound } from '../session/client-capability.js';
import type { Served } from '../session/client-scope.js';

/** `skills/list` and `skills/get`, of PML and its servers. Their files are read as resources. */
export async function serveSkills(
  scope: Served,
  method: 'skills/list' | 'skills/get',
  params: JsonObject,
  context: RequestContext,
): Promise<JsonObject> {
  if (!scope.tools.settings.exposure.skills) throw methodNotFound(method);
  await scope.tools.catalogLoaded;
  const { skills, serverSkills } = scope;
  if (method === 'skills/list') {
    return { skills: [...skills.entries, ...(await serverSkills.entries(context))] };
  }
  const uri = asText(params['uri']);
  const isOwn = uri.startsWith(SKILL_URI);
  const skill = isOwn ? skills.entry(uri) : await serverSkills.entry(uri, context);
  if (skill) return { skill };
  throw new RpcError(RPC.invalidParams, `No skill is served at ${uri || 'no uri'}`, { uri });
}
