import type { TaskId, ToolId } from '../ids.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Guesses } from './provenance.js';

/** One call in a plan. */
export interface Task {
  readonly id: TaskId;
  readonly tool: ToolId;
  /** May hold references to the outputs of other tasks; they are replaced when the task starts. */
  readonly args: JsonObject;
  /**
   * What the kept results that `args` names were when the task was planned: the task means them, not
   * the handles, which may have expired when it starts, or starts again.
   */
  readonly results?: Readonly<Record<string, JsonValue>>;
  /** What PML filled in; every other argument was given. Missing when there is nothing of the kind. */
  readonly guessed?: Guesses;
  /** Every task that must succeed first: those asked for and those whose output `args` refers to. */
  readonly needs: readonly TaskId[];
  /** Longest wait for its answer; without it the limits of the run and of the server apply. */
  readonly timeoutMs?: number;
  /** The task that made this one, by running code. */
  readonly parent?: TaskId;
}

/** Tasks and their dependencies, made for one run. Ids are unique, every need exists, no cycles. */
export interface Plan {
  readonly tasks: readonly Task[];
}
