/**
 * Kept results as arguments. PML reads them when a request arrives, not when a task starts: it
 * refuses an unknown handle before anything runs and checks the result against the tool's schema.
 * Then the result is part of the plan and the journal. So a run that resumes after a restart, or is
 * approved next week, uses the same values, even if the handle has expired.
 */
import {
  isJsonObject,
  type JsonValue,
  messageOf,
  nestsDeeper,
  PmlError,
  type PmlErrorCode,
  type Task,
} from '../core/index.js';
import { fillResults, findResults, resultKey, type ResultReference } from '../plan/index.js';
import type { ResultShelf } from './kept-results.js';
import { valueOf } from './read-result.js';
import { selectPath } from './select-path.js';

/** Per request: all of it stays in memory and in the journal while the request runs. */
const MOST_CHARACTERS = 16_000_000;
const DEEPEST = 100;

export interface TakeProblem {
  readonly code: PmlErrorCode;
  readonly text: string;
}

type Named = ReturnType<typeof findResults>[number];

/** The tasks with the kept results that their arguments name, and every problem found. */
export async function takeResults(
  tasks: readonly Task[],
  kept: ResultShelf,
): Promise<{ readonly tasks: readonly Task[]; readonly problems: readonly TakeProblem[] }> {
  const taking = new Taking(kept);
  const taken: Task[] = [];
  for (const task of tasks) {
    const named = findResults(task.args, 'args');
    const results = await taking.take(named, `task ${task.id}: `);
    taken.push(named.length > 0 ? { ...task, results } : task);
    const whole = named.find(({ at }) => at === 'args');
    const value = whole && results[resultKey(whole)];
    if (value !== undefined && !isJsonObject(value)) {
      const text = `task ${task.id}: args must be an object, and ${whole?.handle} is none`;
      taking.problems.push({ code: 'ARGUMENTS_INVALID', text });
    }
  }
  return { tasks: taken, problems: taking.problems };
}

/** Arguments of a script with the kept results they name. Throws with every problem. */
export async function takeIntoArgs(args: JsonValue, kept: ResultShelf): Promise<JsonValue> {
  // An agent does not nest references this deep: it is data.
  const named = nestsDeeper(args, DEEPEST) ? [] : findResults(args, 'args');
  if (named.length === 0) return args;
  const taking = new Taking(kept);
  const results = await taking.take(named, '');
  const [first] = taking.problems;
  if (!first) return fillResults(args, results);
  throw new PmlError(first.code, taking.problems.map(({ text }) => text).join('\n'));
}

class Taking {
  readonly problems: TakeProblem[] = [];
  readonly #kept: ResultShelf;
  /** Each result is parsed once, however often arguments name it. */
  readonly #values = new Map<string, Promise<JsonValue>>();
  #characters = 0;

  constructor(kept: ResultShelf) {
    this.#kept = kept;
  }

  async take(named: readonly Named[], where: string): Promise<NonNullable<Task['results']>> {
    const results: Record<string, JsonValue> = {};
    for (const one of named) {
      try {
        const key = resultKey(one);
        results[key] ??= await this.#valueOf(one);
      } catch (error) {
        if (!(error instanceof PmlError)) throw error;
        this.problems.push({ code: error.code, text: `${where}${one.at}: ${messageOf(error)}` });
      }
    }
    return results;
  }

  async #valueOf(reference: ResultReference): Promise<JsonValue> {
    const { handle, path, problem } = reference;
    if (problem) throw new PmlError('REFERENCE_INVALID', `${handle}: ${problem}`);
    const whole = await this.#whole(handle);
    if (path && typeof whole === 'string') {
      throw new PmlError('REFERENCE_INVALID', `${handle} is plain text: leave "path" out`);
    }
    const value = path ? selectPath(whole, path) : whole;
    this.#characters += JSON.stringify(value).length;
    if (this.#characters <= MOST_CHARACTERS) return value;
    throw new PmlError(
      'REFERENCE_INVALID',
      `The results that are named have over ${MOST_CHARACTERS} characters together. Take less of them with "path", or use await load("${handle}") in pml_execute_code`,
    );
  }

  #whole(handle: string): Promise<JsonValue> {
    const known = this.#values.get(handle);
    if (known) return known;
    const value = this.#kept.get(handle).then(valueOf);
    this.#values.set(handle, value);
    return value;
  }
}
