import {
  type Guess,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Origin,
  type RunState,
  type Task,
} from '../../core/index.js';
import { resolveArgs } from '../../plan/index.js';
import { outputsFor } from '../approved-args.js';
import { findTask } from '../change-tasks.js';
import { confirmedGuesses } from '../confirmed-guesses.js';

type Origins = Readonly<Record<string, Origin>>;

/**
 * Which arguments of a call PML filled in. Code that was given a guess passes it on: what a capability
 * calls with a value that PML guessed for the capability is the same guess.
 */
export function findOrigins(task: Task, state: RunState): Origins | undefined {
  const guesses = findState(task, state);
  const passed = task.parent === undefined ? [] : guessesAbove(task, state);
  const found = Object.entries(task.args).flatMap(([param, value]) => {
    const leaves = leavesOf(value);
    const guess = passed.find((one) => leaves.some((leaf) => one.leaves.has(leaf)));
    return guess ? [[param, guess.origin] as const] : [];
  });
  if (!guesses && found.length === 0) return undefined;
  return { ...Object.fromEntries(found), ...originsOf(guesses ?? {}) };
}

function findState({ id }: Task, state: RunState) {
  const one = findTask(state, id);
  return one && confirmedGuesses(one);
}

function originsOf(guesses: Readonly<Record<string, Guess>>): Origins {
  return Object.fromEntries(
    Object.entries(guesses).map(([param, guess]) => [param, originOfGuess(guess)]),
  );
}

function originOfGuess({ source, confirmed }: Guess): Origin {
  return { source, ...(confirmed && { confirmed }) };
}

interface PassedGuess {
  readonly origin: Origin;
  readonly leaves: ReadonlySet<JsonValue>;
}

/** What PML filled into the capabilities that a call was made in. */
function guessesAbove({ parent }: Task, state: RunState): readonly PassedGuess[] {
  const found: PassedGuess[] = [];
  for (let up = parent; up !== undefined;) {
    const above = findTask(state, up);
    if (!above) break;
    const guesses = confirmedGuesses(above);
    const args = guesses ? argsOf(above.task, state) : {};
    for (const [param, guess] of Object.entries(guesses ?? {})) {
      const value = args[/^[^.[]*/.exec(param)?.[0] ?? param];
      if (value === undefined) continue;
      found.push({ origin: originOfGuess(guess), leaves: new Set(leavesOf(value)) });
    }
    up = above.task.parent;
  }
  return found;
}

function argsOf(task: Task, state: RunState): JsonObject {
  try {
    return resolveArgs(task, outputsFor(task, state));
  } catch {
    return {}; // A reference into a result that is not there: the code was never given it.
  }
}

/** Texts and numbers; the others are the same in two places too often by chance. */
function leavesOf(value: JsonValue): readonly JsonValue[] {
  const leaves: JsonValue[] = [];
  const open: JsonValue[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (Array.isArray(one)) open.push(...(one as readonly JsonValue[]));
    else if (isJsonObject(one)) open.push(...Object.values(one));
    else if (typeof one === 'string' || typeof one === 'number') leaves.push(one);
  }
  return leaves;
}
