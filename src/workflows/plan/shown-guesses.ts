import { createHash } from 'node:crypto';

import {
  canonicalJson,
  type Guess,
  type JsonValue,
  type Task,
  THE_USER,
} from '../../core/index.js';
import { parseReference, replaceReferences } from '../../plan/index.js';
import { findLiterals, valueAt } from '../../planner/index.js';
import type { Caller } from '../../servers/index.js';

/** PML forgets what it showed longer ago, or before so many other values. */
const SHOWN_MS = 24 * 60 * 60_000;
const MOST_SHOWN = 5_000;

interface ShownGuess {
  readonly guess: Guess;
  /** The values that the request named for which PML made the plan. */
  readonly named: ReadonlySet<string>;
  readonly at: number;
}

/**
 * Who saw a plan: the session; for a client whose every request is a session of its own, the client.
 * Sessions of the user are kept apart: another agent that writes the same value did not see it.
 */
export function viewerOf({ session, principal }: Pick<Caller, 'session' | 'principal'>): string {
  return principal === THE_USER ? `session ${session}` : principal;
}

export interface ShownPlan {
  readonly intent?: string | undefined;
  readonly tasks: readonly Task[];
  /** Tasks that references may name, too: those of the run that the tasks are added to. */
  readonly beside?: readonly Pick<Task, 'id' | 'tool'>[];
}

/**
 * The values that PML filled into plans and showed. A client that sends such a value back has not given
 * it: it passes on what PML guessed.
 */
export class ShownGuesses {
  readonly #now: () => number;
  readonly #shown = new Map<string, readonly ShownGuess[]>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Remembers what PML filled into a plan that it shows. */
  remember(viewer: string, plan: ShownPlan): void {
    const named = namedBy(plan.intent);
    const at = this.#now();
    for (const task of plan.tasks) {
      for (const [param, guess] of Object.entries(task.guessed ?? {})) {
        const key = keyOf(task, param, { viewer, plan });
        if (key === undefined) continue;
        const others = this.#known(key).filter((one) => !isSubset(one.named, named));
        this.#shown.delete(key);
        this.#shown.set(key, [...others, { guess, named, at }]);
      }
    }
    for (const key of this.#shown.keys()) {
      if (this.#shown.size <= MOST_SHOWN) break;
      this.#shown.delete(key);
    }
  }

  /**
   * The tasks that a client sends. A value that PML had suggested for the same parameter of the same
   * tool is marked as its guess, which the client saw and passed on. A request that names other values
   * than the one PML made the plan for is another request: its tasks are what the client gives.
   */
  withSeen(viewer: string, plan: ShownPlan): readonly Task[] {
    if (this.#shown.size === 0) return plan.tasks;
    const named = namedBy(plan.intent);
    return plan.tasks.map((task) => {
      const seen = this.#params(task).flatMap((param) => {
        const key = keyOf(task, param, { viewer, plan });
        const shown = key === undefined ? [] : this.#known(key);
        const own = shown.findLast((one) => isSubset(named, one.named));
        return own ? [[param, { ...own.guess, confirmed: 'seen' }] as const] : [];
      });
      if (seen.length === 0) return task;
      return { ...task, guessed: { ...task.guessed, ...Object.fromEntries(seen) } as const };
    });
  }

  /** The parameters of a task that have a value and are not known to be guessed. */
  #params({ args, guessed = {} }: Task): readonly string[] {
    return [...paramsOf(args)].filter((param) => !Object.hasOwn(guessed, param));
  }

  #known(key: string): readonly ShownGuess[] {
    const since = this.#now() - SHOWN_MS;
    return (this.#shown.get(key) ?? []).filter(({ at }) => at >= since);
  }
}

function namedBy(intent = ''): ReadonlySet<string> {
  return new Set(findLiterals(intent).map(({ text }) => text));
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}

/** The paths of all that is given: `options`, `options.unit` and `edits[0].text`. */
function* paramsOf(value: JsonValue, path = ''): Generator<string> {
  if (typeof value !== 'object' || value === null || '$ref' in value) return;
  for (const [key, part] of Object.entries(value)) {
    const own = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    yield own;
    yield* paramsOf(part as JsonValue, own);
  }
}

interface Place {
  readonly viewer: string;
  readonly plan: ShownPlan;
}

/**
 * The same for the same value, however it is written: a reference is the same to a field of the same
 * tool, by whatever id and in whatever notation, also inside a text.
 */
function keyOf(task: Task, param: string, { viewer, plan }: Place): string | undefined {
  const value = valueAt(task.args, param, { ofMany: true });
  if (value === undefined) return undefined;
  const toolOf = new Map([...(plan.beside ?? []), ...plan.tasks].map((one) => [one.id, one.tool]));
  const meant = replaceReferences(value, param, {
    isTask: (name) => toolOf.has(name as Task['id']),
    visit(reference) {
      const { task: giver, steps } = parseReference(reference);
      return `← ${toolOf.get(giver)} ${JSON.stringify(steps)}`;
    },
  });
  const text = `${viewer}\n${task.tool}\n${param}\n${canonicalJson(meant)}`;
  return createHash('sha256').update(text).digest('base64url');
}
