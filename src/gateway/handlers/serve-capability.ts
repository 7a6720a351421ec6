import { type JsonObject, PmlError, type ToolResult } from '../../core/index.js';
import type { RequestContext } from '../../tools/index.js';
import { serveWorkflow, type Workflows } from '../../workflows/index.js';
import { findExposed } from '../exposure/exposed-capabilities.js';

/** A call of a capability by its own name is a run of it, like any other. */
export async function serveCapability(
  workflows: Workflows,
  tool: string,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  await workflows.tools.catalogLoaded;
  const { name, state } = findExposed(workflows.tools, tool);
  if (state.status === 'active') {
    return serveWorkflow(workflows, { capability: name, args }, context);
  }
  const cure = state.status === 'disabled' ? 'enable' : 'verify';
  throw new PmlError(
    'TOOL_BLOCKED',
    `${tool} is ${state.status}: ${state.reason}. The user can change that: pml capabilities ${cure} ${name}`,
    { details: { tool, status: state.status } },
  );
}
