import type { RunState, TaskState, ToolId } from '../../core/index.js';
import type { Admission } from '../../policy/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import { tasksForPerson } from './open-tasks.js';

/** Who must approve a call of this tool; undefined if the call only waits for its layer. */
export function whoApproves(
  tools: Pick<ToolDirectory, 'admit'>,
  { approve }: Pick<RunState, 'approve'>,
  tool: ToolId,
): NonNullable<Admission['ask']>['whom'] | undefined {
  return tools.admit(tool, { approve }).ask?.whom;
}

/** The tasks that a person decides first in a paused run; empty if the agent has to decide. */
export function askedOfPerson(
  tools: Pick<ToolDirectory, 'admit' | 'settings'>,
  state: RunState,
): readonly TaskState[] {
  return tasksForPerson(state, {
    configured: tools.settings.workflows.approve,
    isRisky: ({ task }) => whoApproves(tools, state, task.tool) !== undefined,
  });
}
