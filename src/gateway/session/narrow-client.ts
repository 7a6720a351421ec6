import type { JsonObject, Principal } from '../../core/index.js';
import { listCapabilityTools } from '../exposure/exposed-capabilities.js';
import type { Sessions } from './sessions.js';

/** Capabilities call tools of any server: a client that may use only some is shown none of them. */
export function isNarrow({ tools }: Sessions, principal: Principal): boolean {
  return tools.accessOf(principal) !== undefined;
}

/** Capabilities as Skills, where the client may use them. */
export function skillsFor(sessions: Sessions, principal: Principal): readonly JsonObject[] {
  return isNarrow(sessions, principal) ? [] : sessions.skills.resources;
}

export async function capabilityToolsFor(
  sessions: Sessions,
  principal: Principal,
): Promise<readonly JsonObject[]> {
  return isNarrow(sessions, principal) ? [] : listCapabilityTools(sessions.tools);
}
