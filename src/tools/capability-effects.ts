import type { Capabilities } from '../capabilities/index.js';
import { type Capability, capabilityId, type ToolId } from '../core/index.js';
import type { ToolPolicy } from '../policy/index.js';
import type { GatewaySettings } from './settings.js';
import type { View } from './view.js';

/** What can be known of capabilities without calling anything. */
export interface CapableTools {
  readonly capabilities: Capabilities;
  readonly settings: GatewaySettings;
  readonly view: View;
  policyOf(tool: ToolId): ToolPolicy;
  /** Missing where nothing is narrowed. See `ToolDirectory.isWithin`. */
  isWithin?(tool: ToolId): boolean;
}

/** Whether clients may know of the capability. */
export function isCapabilityWithin(
  tools: CapableTools,
  { name }: Pick<Capability, 'name'>,
): boolean {
  return tools.isWithin?.(capabilityId(name)) ?? true;
}

/** What running a capability can do, by the rules and definitions of today. */
export interface CapabilityEffects {
  /** Of itself and of all it calls, sorted. */
  readonly tools: readonly ToolId[];
  /** Those of them that may change something. */
  readonly changing: readonly ToolId[];
  readonly isReadOnly: boolean;
}

export function capabilityEffects(tools: CapableTools, { name }: Capability): CapabilityEffects {
  const reached = tools.capabilities.toolsOf(name);
  const changing = reached.filter((tool) => tools.policyOf(tool).risk !== 'read');
  return { tools: reached, changing, isReadOnly: changing.length === 0 };
}
