import type { JsonObject, Principal } from '../../core/index.js';
import { listCapabilityTools } from '../exposure/exposed-capabilities.js';
import type { Served } from './client-scope.js';

/** Capabilities call tools of any server: a client that may use only some is shown none of them. */
export function isNarrow({ tools }: Served, principal: Principal): boolean {
  return tools.accessOf(principal) !== undefined;
}

/** Capabilities as Skills, where the client may use them. */
export function skillsFor(scope: Served, principal: Principal): readonly JsonObject[] {
  return isNarrow(scope, principal) ? [] : scope.skills.resources;
}

export async function capabilityToolsFor(
  scope: Served,
  principal: Principal,
): Promise<readonly JsonObject[]> {
  return isNarrow(scope, principal) ? [] : listCapabilityTools(scope.tools);
}
