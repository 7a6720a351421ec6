import { type JsonObject, PmlError, type ToolResult } from '../../core/index.js';
import type { RequestContext } from '../../tools/index.js';
import { serveCode, serveWorkflow, type Workflows } from '../../workflows/index.js';

/** `pml_read`: code or tasks, with only those tools in reach that change nothing. */
export async function serveRead(
  workflows: Workflows,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const hasCode = args['code'] !== undefined;
  if (hasCode === (args['tasks'] !== undefined)) {
    throw new PmlError('BAD_REQUEST', 'pml_read takes either "code" or "tasks"');
  }
  return hasCode
    ? serveCode(workflows, args, context, { isReadOnly: true })
    : serveWorkflow(workflows, args, context, { isReadOnly: true });
}
