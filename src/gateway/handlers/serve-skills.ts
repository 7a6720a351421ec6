import { asText, type JsonObject } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import { methodNotFound } from '../session/client-capability.js';
import type { Served } from '../session/client-scope.js';

/** `skills/list` and `skills/get`. Their files are resources and read as such. */
export async function serveSkills(
  scope: Served,
  method: 'skills/list' | 'skills/get',
  params: JsonObject,
): Promise<JsonObject> {
  if (!scope.tools.settings.exposure.skills) throw methodNotFound(method);
  await scope.tools.catalogLoaded;
  if (method === 'skills/list') return { skills: scope.skills.entries };
  const uri = asText(params['uri']);
  const skill = scope.skills.entry(uri);
  if (skill) return { skill };
  throw new RpcError(RPC.invalidParams, `No skill is served at ${uri || 'no uri'}`, { uri });
}
