import type { RunState, ToolId } from '../../core/index.js';
import type { Admission } from '../../policy/index.js';
import type { ToolDirectory } from '../../tools/index.js';

/** Who must approve a call of this tool in a run; nobody for one that only waits for its layer. */
export function whoApproves(
  tools: Pick<ToolDirectory, 'admit'>,
  { approve }: Pick<RunState, 'approve'>,
  tool: ToolId,
): NonNullable<Admission['ask']>['whom'] | undefined {
  return tools.admit(tool, { approve }).ask?.whom;
}
