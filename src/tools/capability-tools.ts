import type { Capabilities } from '../capabilities/index.js';
import {
  CAPABILITY_SERVER,
  type Capability,
  capabilityId,
  type CatalogTool,
  parseToolId,
  PmlError,
  type ToolId,
} from '../core/index.js';

/** A capability as it stands among tools: found like them, called like them. */
export function capabilityTool(capability: Capability): CatalogTool {
  const { name, description, current } = capability;
  const at = current.statistics.lastUsed ?? current.provenance.at;
  return {
    id: capabilityId(name),
    server: CAPABILITY_SERVER,
    // What its code does not read would be dropped in silence.
    definition: {
      name,
      description,
      inputSchema: { additionalProperties: false, ...current.parameters },
    },
    hash: `${current.identity} ${description}`,
    status: 'active',
    firstSeen: current.provenance.at,
    lastSeen: at,
  };
}

/** Refuses a capability that cannot be run, and says why. */
export function assertCapability(capabilities: Capabilities, tool: ToolId): Capability {
  const { tool: name } = parseToolId(tool);
  const capability = capabilities.get(name);
  if (!capability) {
    const known = capabilities.list().map((one) => one.name);
    const hint = known.length > 0 ? ` There are: ${known.slice(0, 10).join(', ')}` : '';
    throw new PmlError('TOOL_UNKNOWN', `No capability ${name}.${hint}`, { details: { tool } });
  }
  const { state } = capability;
  if (state.status !== 'disabled') return capability;
  throw new PmlError('TOOL_BLOCKED', `${tool} is ${state.status}: ${state.reason}`);
}
