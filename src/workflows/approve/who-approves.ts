import type { RunState, TaskState, ToolId } from '../../core/index.js';
import type { Admission } from '../../policy/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import { tasksForPerson } from './open-tasks.js';

/** Who must approve a call of this tool in a run; nobody for one that only waits for its layer. */
export function whoApproves(
  tools: Pick<ToolDirectory, 'admit'>,
  { approve }: Pick<RunState, 'approve'>,
  tool: ToolId,
): NonNullable<Admission['ask']>['whom'] | undefined {
  return tools.admit(tool, { approve }).ask?.whom;
}

/** What a person is asked first about a paused run; nothing where it is the agent's turn. */
export function askedOfPerson(
  tools: Pick<ToolDirectory, 'admit' | 'settings'>,
  state: RunState,
): readonly TaskState[] {
  return tasksForPerson(state, {
    configured: tools.settings.workflows.approve,
    isRisky: ({ task }) => whoApproves(tools, state, task.tool) !== undefined,
  });
}
