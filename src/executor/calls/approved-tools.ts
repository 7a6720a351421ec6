import type { RunState, ToolId } from '../../core/index.js';
import type { Admission } from '../../policy/index.js';

/**
 * Whether one decision approved all calls of a tool in this run. What a person must approve, no agent
 * can have approved, also if that became a rule only after the agent decided.
 */
export function isToolApproved(
  { decisions }: Pick<RunState, 'decisions'>,
  tool: ToolId,
  { whom }: Pick<NonNullable<Admission['ask']>, 'whom'>,
): boolean {
  return decisions.some(({ by, command }) => {
    const isApproved = command.kind === 'approve' && command.tools?.includes(tool) === true;
    return isApproved && (whom === 'agent' || by !== 'agent');
  });
}
