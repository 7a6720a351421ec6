import type { RunState, ToolId } from '../../core/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { Admission } from '../../policy/index.js';

/** Who must approve a call of this tool in a run; nobody for one that only waits for its layer. */
export function whoApproves(
  gateway: Pick<Gateway, 'admit'>,
  { approve }: Pick<RunState, 'approve'>,
  tool: ToolId,
): NonNullable<Admission['ask']>['whom'] | undefined {
  return gateway.admit(tool, { approve }).ask?.whom;
}
