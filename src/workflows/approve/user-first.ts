import type { ApprovalMode, RunCommand, RunState, TaskId, TaskState } from '../../core/index.js';
import { isLooser } from '../../policy/index.js';

/** What must be known of a run to tell whether its agent may decide. */
export interface UserFirst {
  /** Before what runs stop by the configuration. */
  readonly configured: ApprovalMode;
  /** Whether a person sees a question about the run right now. */
  readonly isUserAsked: boolean;
  /** Whether only a person may approve the task. */
  readonly needsPerson: (task: TaskState) => boolean;
  /** Whether the agent's client can ask a person about the task, and has not done so. */
  readonly canStillAsk: (task: TaskState) => boolean;
}

export interface AgentDecision {
  readonly command: RunCommand;
  /** Whether something is merged into the context of the run. */
  readonly changesContext?: boolean;
}

/** Why an agent may not make this decision now; nothing if it may. Ending a run is always possible. */
export function refuseAgent(
  state: RunState,
  { command, changesContext = false }: AgentDecision,
  { configured, isUserAsked, needsPerson, canStillAsk }: UserFirst,
): string | undefined {
  const { kind } = command;
  if (kind === 'abort') return undefined;
  if (isUserAsked) {
    return `Cannot ${kind}: the user is being asked about run ${state.run} and decides. Use decision "wait" to get the answer, or "abort" to end the run`;
  }
  if (isLooser(state.approve, configured) && (changesContext || bringsOwn(command))) {
    return `Cannot ${kind}: run ${state.run} has approve "${state.approve}" for what it began with, and stops less often than the configuration says ("${configured}"). Do what you want to add in a run of your own: pml_execute_workflow`;
  }
  const named = tasksAbout(state, command);
  // A call that waits may take its arguments from the context: a person has read them.
  const about = changesContext ? [...named, ...state.tasks.filter(isWaiting)] : named;
  const personal = about.find(needsPerson);
  if (personal) {
    const { id, tool } = personal.task;
    return `Cannot ${kind}: only the user may decide about task \`${id}\` (${tool}), because "permissions.ask" wants a person. Ask the user to run: ${userCommand(state, id)}. Decision "wait" gets the answer, "abort" ends the run`;
  }
  const asked = kind === 'approve' ? about.find(canStillAsk) : undefined;
  if (!asked) return undefined;
  return `Cannot approve task \`${asked.task.id}\` (${asked.task.tool}) before the user was asked. Use decision "wait": this client then asks the user`;
}

/** Whether calls, or what calls are made with, come from who decides. */
function bringsOwn(command: RunCommand): boolean {
  const { kind } = command;
  return kind === 'inject' || kind === 'replan' || (kind === 'skip' && 'result' in command);
}

/** What a user types to approve a task, or all that wait. */
export function userCommand({ run }: Pick<RunState, 'run'>, task?: TaskId): string {
  return `pml continue ${run} approve${task === undefined ? '' : ` --task ${task}`} (or reject)`;
}

/** What is added to a run is decided beside everything that waits. */
function tasksAbout({ tasks }: RunState, command: RunCommand): readonly TaskState[] {
  if (command.kind === 'inject' || command.kind === 'replan') {
    return tasks.filter(isWaiting);
  }
  const named = new Set<TaskId>('tasks' in command ? command.tasks.map(idOf) : []);
  return tasks.filter(({ task }) => named.has(task.id));
}

function isWaiting({ status }: TaskState): boolean {
  return status === 'needs_approval' || status === 'in_doubt';
}

function idOf(task: TaskId | { readonly id: TaskId }): TaskId {
  return typeof task === 'string' ? task : task.id;
}
