import { BUILT_IN_SERVER, parseToolId, type ToolId } from '../core/index.js';
import type { ToolDirectory } from './tool-directory.js';

/** Whether a plan may use the tool: it exists, and neither it nor any tool it calls is denied. */
export function isCallable(tools: ToolDirectory, tool: ToolId): boolean {
  if (parseToolId(tool).server === BUILT_IN_SERVER || !tools.index.get(tool)) return false;
  return tools.policyOf(tool).denied === undefined;
}

/** Whether the tool only reads and needs no approval. */
export function isSafe(tools: ToolDirectory, tool: ToolId): boolean {
  const { risk, ask } = tools.policyOf(tool);
  return risk === 'read' && !ask;
}
