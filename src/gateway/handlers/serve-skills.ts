import { asText, type JsonObject } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import type { Gateway } from '../gateway.js';
import { methodNotFound } from '../session/client-capability.js';

/** `skills/list` and `skills/get`. Their files are resources and read as such. */
export async function serveSkills(
  gateway: Gateway,
  method: 'skills/list' | 'skills/get',
  params: JsonObject,
): Promise<JsonObject> {
  if (!gateway.settings.exposure.skills) throw methodNotFound(method);
  await gateway.catalogLoaded;
  if (method === 'skills/list') return { skills: gateway.skills.entries };
  const uri = asText(params['uri']);
  const skill = gateway.skills.entry(uri);
  if (skill) return { skill };
  throw new RpcError(RPC.invalidParams, `No skill is served at ${uri || 'no uri'}`, { uri });
}
