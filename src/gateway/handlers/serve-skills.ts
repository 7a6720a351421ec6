import { asText, type JsonObject } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import { methodNotFound } from '../session/client-capability.js';
import type { Sessions } from '../session/sessions.js';

/** `skills/list` and `skills/get`. Their files are resources and read as such. */
export async function serveSkills(
  sessions: Sessions,
  method: 'skills/list' | 'skills/get',
  params: JsonObject,
): Promise<JsonObject> {
  if (!sessions.tools.settings.exposure.skills) throw methodNotFound(method);
  await sessions.tools.catalogLoaded;
  if (method === 'skills/list') return { skills: sessions.skills.entries };
  const uri = asText(params['uri']);
  const skill = sessions.skills.entry(uri);
  if (skill) return { skill };
  throw new RpcError(RPC.invalidParams, `No skill is served at ${uri || 'no uri'}`, { uri });
}
