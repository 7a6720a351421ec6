import {
  canonicalJson,
  type RunEvent,
  type RunState,
  type Task,
  type TaskId,
  type TaskState,
} from '../core/index.js';
import { hasEnded } from '../executor/index.js';

/**
 * Identifies a call of a script by tool and arguments; repeated calls are counted. Arguments that
 * PML filled in are left out: the script did not give them, and PML may fill them differently now.
 */
function keyOf({ tool, args, guessed = {} }: Pick<Task, 'tool' | 'args' | 'guessed'>): string {
  const asked = Object.entries(args).filter(([param]) => !Object.hasOwn(guessed, param));
  return `${tool} ${canonicalJson(Object.fromEntries(asked))}`;
}

/**
 * Replays the calls of an earlier execution of a script while the script runs again. Calls are
 * matched by tool and arguments, not by order, because concurrent calls may come in any order.
 * Results are replayed in their original order, so that everything that follows is the same.
 */
export class Replay {
  readonly #open = new Map<string, TaskId[]>();
  /** Calls that have a result, in the order of the results. */
  readonly #answered: readonly TaskId[];
  readonly #claimed = new Set<TaskId>();
  #given = 0;
  #unclaimed = 0;

  /** For the script of the run, or for the script that the task `parent` executes. */
  constructor(state: RunState, events: readonly RunEvent[], parent?: TaskId) {
    const own = state.tasks.filter(({ task }) => task.parent === parent);
    for (const { task } of own) {
      const key = keyOf(task);
      this.#open.set(key, [...(this.#open.get(key) ?? []), task.id]);
      this.#unclaimed++;
    }
    this.#answered = answeredIn(own, events);
  }

  /** The earlier call that matches this one; undefined if the script did not get so far. */
  claim(call: Pick<Task, 'tool' | 'args'>): TaskId | undefined {
    const id = this.#open.get(keyOf(call))?.shift();
    if (id === undefined) return undefined;
    this.#claimed.add(id);
    this.#unclaimed--;
    return id;
  }

  /** Whether a call already had its result; other calls get theirs when it arrives. */
  hadAnswer(id: TaskId): boolean {
    return this.#answered.includes(id);
  }

  /** Whether every earlier call was made and answered again: from here on the script is new. */
  get isOver(): boolean {
    return this.#unclaimed === 0 && this.#given === this.#answered.length;
  }

  /** The next result to replay, if the script has already made that call. */
  take(): TaskId | undefined {
    const next = this.#answered[this.#given];
    if (next === undefined || !this.#claimed.has(next)) return undefined;
    this.#given++;
    return next;
  }

  /** An earlier call that the idle script has not made again. */
  get missing(): TaskId | undefined {
    const next = this.#answered[this.#given];
    if (next === undefined) return this.leftOver[0];
    return this.#claimed.has(next) ? undefined : next;
  }

  /** Earlier calls that were not made again, with or without a result. */
  get leftOver(): readonly TaskId[] {
    return this.#unclaimed === 0 ? [] : [...this.#open.values()].flat();
  }
}

const ENDS: ReadonlySet<string> = new Set(['task-completed', 'task-failed', 'task-skipped']);

function answeredIn(tasks: readonly TaskState[], events: readonly RunEvent[]): readonly TaskId[] {
  const over = new Set(tasks.filter(hasEnded).map(({ task }) => task.id));
  const last = new Map<TaskId, number>();
  events.forEach((event, place) => {
    if (ENDS.has(event.type) && 'task' in event) last.set(event.task as TaskId, place);
    else if (event.type === 'decision-made' && 'tasks' in event.command) {
      for (const task of event.command.tasks) if (typeof task === 'string') last.set(task, place);
    }
  });
  return [...over].toSorted((a, b) => (last.get(a) ?? 0) - (last.get(b) ?? 0));
}
