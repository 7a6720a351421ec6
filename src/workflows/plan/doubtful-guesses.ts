import {
  type Guess,
  isCertain,
  type JsonValue,
  type Task,
  type TaskId,
  type ToolId,
} from '../../core/index.js';
import { readReferences } from '../../plan/index.js';
import { valueAt } from '../../planner/index.js';
import type { Workflows } from '../workflows.js';
import { explainGuess } from './guess-lines.js';
import type { Planning } from './planning.js';

/**
 * An agent or a person must have meant the same in this many runs, and in this share of all runs
 * with a value.
 */
const MEANT_RUNS = 3;
const MEANT_SHARE = 0.9;

/** The beginning of the reason why PML holds a task with guesses. */
export const FILLED_IN = 'PML filled in';

interface DoubtfulGuess {
  readonly param: string;
  readonly guess: Guess;
}

/**
 * Values that PML filled into a task and that may be wrong. A value is not doubtful if the schema allows
 * no other value, if an agent or a person approved it, or if agents or persons gave or approved the same
 * often enough: the same field of the same tool for the same parameter, or the same value. An agent that
 * sends a suggested plan unchanged may not have read it, so that is no approval.
 */
function doubtfulGuesses(
  planning: Pick<Planning, 'memory' | 'past'>,
  task: Task,
  toolOf: (task: TaskId) => ToolId | undefined,
): readonly DoubtfulGuess[] {
  return Object.entries(task.guessed ?? {}).flatMap(([param, guess]) => {
    const isKnown =
      isCertain(guess) ||
      guess.confirmed === 'approved' ||
      isOftenMeant(planning, task, { param, toolOf });
    return isKnown ? [] : [{ param, guess }];
  });
}

function isOftenMeant(
  { memory, past }: Pick<Planning, 'memory' | 'past'>,
  task: Task,
  { param, toolOf }: { param: string; toolOf: (task: TaskId) => ToolId | undefined },
): boolean {
  const value: JsonValue | undefined = valueAt(task.args, param);
  const into = readReferences(task).filter((one) => one.param === param);
  const [reference, ...more] = into;
  if (!reference) {
    if (value === undefined) return false;
    const { same, other } = past.meant(task.tool, param, value);
    return same >= MEANT_RUNS && same >= MEANT_SHARE * (same + other);
  }
  const producer = toolOf(reference.task);
  if (!producer || more.length > 0) return false;
  const { recorded, flows } = memory.pair(producer, task.tool);
  const flow = flows.find((one) => {
    return one.param === param && (one.field ?? '') === reference.field && !one.isPart;
  });
  return flow !== undefined && flow.meant >= MEANT_RUNS && flow.times >= MEANT_SHARE * recorded;
}

/** What is wrong with the guesses of a call where the user wants none, a line each. */
export function refusedGuesses(task: Pick<Task, 'args' | 'guessed'>): readonly string[] {
  return Object.entries(task.guessed ?? {}).flatMap(([param, guess]) => {
    if (isCertain(guess)) return [];
    const given = JSON.stringify(valueAt(task.args, param) ?? null);
    return `args.${param} was not given. PML would take ${explainGuess(task, param, guess)}, but "workflows.guesses" is "refuse": write ${given}, or what is meant`;
  });
}

/**
 * Why a run must ask before this call because of values that PML filled in; undefined if it may
 * run.
 */
export function askAboutGuesses(
  { tools, planning }: Pick<Workflows, 'tools' | 'planning'>,
  task: Task,
  tasks: readonly Task[],
): string | undefined {
  if (!task.guessed || tools.settings.workflows.guesses !== 'ask') return undefined;
  if (tools.policyOf(task.tool).risk === 'read') return undefined;
  const toolOf = (id: TaskId) => tasks.find((one) => one.id === id)?.tool;
  const doubtful = doubtfulGuesses(planning, task, toolOf);
  if (doubtful.length === 0) return undefined;
  const guesses = doubtful.map(({ param, guess }) => explainGuess(task, param, guess));
  return `${FILLED_IN} values by itself: ${guesses.join('; ')}`;
}
