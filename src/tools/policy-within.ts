import {
  type Access,
  BUILT_IN_SERVER,
  isCapability,
  matchGlobs,
  parseToolId,
  type ToolId,
} from '../core/index.js';
import { admit, type ToolPolicy } from '../policy/index.js';

/** The policy of a tool for a client that may use only what its token names. */
export function policyWithin(tool: ToolId, policy: ToolPolicy, access: Access): ToolPolicy {
  if (policy.denied !== undefined) return policy;
  const why = refusal(tool, policy, access);
  return why === undefined
    ? policy
    : { ...policy, denied: `${tool} is denied to the token of this client: ${why}` };
}

function refusal(tool: ToolId, policy: ToolPolicy, { servers, isReadOnly }: Access) {
  if (isCapability(tool)) return 'capabilities are the user’s own';
  const { server } = parseToolId(tool);
  if (server === BUILT_IN_SERVER) return undefined;
  if (!matchGlobs(servers)(server)) return `it may not use ${server}`;
  return isReadOnly && !admit(tool, policy, {}).isReading ? 'it may only read' : undefined;
}
