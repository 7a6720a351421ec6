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
 * Calls of a script are told apart by what they ask for and the how-many-eth time they do. What PML
 * filled in the script did not ask for, and may be filled in otherwise today.
 */
function keyOf({ tool, args, guessed = {} }: Pick<Task, 'tool' | 'args' | 'guessed'>): string {
  const asked = Object.entries(args).filter(([param]) => !Object.hasOwn(guessed, param));
  return `${tool} ${canonicalJson(Object.fromEntries(asked))}`;
}

/**
 * The calls that an earlier execution of a script made, while it is executed again. Calls are matched
 * by what they ask, not by their order, for calls made together may come in any; answers are given in
 * the order in which they came then, so that everything that follows is the same.
 */
export class Replay {
  readonly #open = new Map<string, TaskId[]>();
  /** Calls that have an answer, in the order of the answers. */
  readonly #answered: readonly TaskId[];
  readonly #claimed = new Set<TaskId>();
  #given = 0;
  #unclaimed = 0;

  /** Of the script of the run, or of the one that a task of it runs. */
  constructor(state: RunState, events: readonly RunEvent[], parent?: TaskId) {
    const own = state.tasks.filter(({ task }) => task.parent === parent);
    for (const { task } of own) {
      const key = keyOf(task);
      this.#open.set(key, [...(this.#open.get(key) ?? []), task.id]);
      this.#unclaimed++;
    }
    this.#answered = answeredIn(own, events);
  }

  /** The earlier call that this one is; nothing when the script did not get so far then. */
  claim(call: Pick<Task, 'tool' | 'args'>): TaskId | undefined {
    const id = this.#open.get(keyOf(call))?.shift();
    if (id === undefined) return undefined;
    this.#claimed.add(id);
    this.#unclaimed--;
    return id;
  }

  /** Whether a call had its answer then; others get theirs as it comes. */
  hadAnswer(id: TaskId): boolean {
    return this.#answered.includes(id);
  }

  /** Whether every call of then was made and answered again: from here on the script is new. */
  get isOver(): boolean {
    return this.#unclaimed === 0 && this.#given === this.#answered.length;
  }

  /** The answer to give next, if the script has asked for it already. */
  take(): TaskId | undefined {
    const next = this.#answered[this.#given];
    if (next === undefined || !this.#claimed.has(next)) return undefined;
    this.#given++;
    return next;
  }

  /** A call of then that the script, having nothing else to do, does not make again. */
  get missing(): TaskId | undefined {
    const next = this.#answered[this.#given];
    if (next === undefined) return this.leftOver[0];
    return this.#claimed.has(next) ? undefined : next;
  }

  /** Calls of then that were not made again, whether they had an answer or not. */
  get leftOver(): readonly TaskId[] {
    return this.#unclaimed === 0 ? [] : [...this.#open.values()].flat();
  }
}

const ENDS: ReadonlySet<string> = new Set(['task-succeeded', 'task-failed', 'task-skipped']);

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
