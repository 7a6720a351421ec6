import { BUILT_IN_SERVER, isCapability, parseToolId, type ToolId } from '../core/index.js';
import type { Gateway } from './gateway.js';

/** Whether a plan may have it: it is there, and nothing that it calls is denied. */
export function isCallable(gateway: Gateway, tool: ToolId): boolean {
  if (parseToolId(tool).server === BUILT_IN_SERVER || !gateway.index.get(tool)) return false;
  return calledBy(gateway, tool).every((one) => !gateway.policyOf(one).denied);
}

/** Whether calling it changes nothing and nobody has to be asked. */
export function isSafe(gateway: Gateway, tool: ToolId): boolean {
  return calledBy(gateway, tool).every((one) => {
    const { risk, ask } = gateway.policyOf(one);
    return risk === 'read' && !ask;
  });
}

/** What calling it calls: of a capability all it is made of, which is judged call by call. */
function calledBy({ capabilities }: Gateway, tool: ToolId): readonly ToolId[] {
  return isCapability(tool) ? capabilities.toolsOf(parseToolId(tool).tool) : [tool];
}
