import {
  type JsonValue,
  type RunState,
  type Task,
  type TaskState,
  visible,
} from '../../core/index.js';
import { outputsFor } from '../../executor/index.js';
import { resolveArgs } from '../../plan/index.js';
import { shortLine } from '../../results/index.js';
import { FILLED_IN } from '../plan/doubtful-guesses.js';
import { guessLines } from '../plan/guess-lines.js';
import { describeDone } from './run-progress.js';

const SHOWN_CHARACTERS = 600;
const SHOWN_REASON = 300;
const SHOWN_INTENT = 100;
/** Most calls that one question shows. */
export const SHOWN_TASKS = 20;

/**
 * The question of a run as text: first the question, then each call with its arguments and why it
 * needs a decision, and last the run that the calls belong to.
 */
export function describeQuestion(state: RunState, asked: readonly TaskState[]): string {
  const lines = asked.slice(0, SHOWN_TASKS).map((one) => `- ${describeOpen(state, one)}`);
  const more = asked.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more`);
  const done = state.tasks.filter(({ status }) => status === 'completed').length;
  const found = describeDone(state);
  const intent = state.intent ? ` (${shortLine(state.intent, SHOWN_INTENT)})` : '';
  const about = `This is run ${state.run}${intent}: ${done} of ${state.tasks.length} tasks are completed${found && `: ${found}`}.`;
  return [...questionOf(asked), ...lines, about].join('\n');
}

function questionOf(asked: readonly TaskState[]): readonly string[] {
  const count = (status: TaskState['status']) =>
    asked.filter((one) => one.status === status).length;
  const [doubtful, failed, held] = [count('in_doubt'), count('failed'), count('needs_approval')];
  if (doubtful > 0) {
    return [doubtful > 1 ? `Make these ${doubtful} calls again?` : 'Make this call again?'];
  }
  if (failed > 0) return ['Try again what failed, or go on with what is left?'];
  if (held === 0) return [];
  if (asked.every((one) => one.status === 'needs_approval' && one.signIn !== undefined)) {
    return [
      held > 1 ? `These ${held} calls wait for a sign-in:` : 'This call waits for a sign-in:',
    ];
  }
  return [held > 1 ? `Allow these ${held} calls?` : 'Allow this call?'];
}

function describeOpen(state: RunState, one: TaskState): string {
  const id = visible(one.task.id);
  const args = shortLine(JSON.stringify(resolvedOf(state, one.task)), SHOWN_CHARACTERS);
  const call = `${visible(one.task.tool)} with ${args}`;
  switch (one.status) {
    case 'in_doubt':
      return `${call} may or may not have been carried out (${reason(one.because)}) [task ${id}]`;
    case 'needs_approval':
      return `${call} (${reason(one.because, one.task.guessed)})${filled(one)} [task ${id}]`;
    case 'failed':
      return `${call} failed: ${reason(one.error.message)} [task ${id}]`;
    default:
      return `${call} [task ${id}]`;
  }
}

/** A user must see a guess completely before approving it. */
function reason(text: string, guessed?: Task['guessed']): string {
  return shortLine(text, guessed ? SHOWN_CHARACTERS : SHOWN_REASON);
}

/** The values that PML filled in, if the reason does not name them. */
function filled({ task, ...one }: TaskState): string {
  const isTold = 'because' in one && one.because.includes(FILLED_IN);
  const lines = isTold ? [] : guessLines([task]);
  return lines.length > 0 ? `; filled: ${shortLine(lines.join('; '), SHOWN_CHARACTERS)}` : '';
}

/** The arguments of a call, with all known references resolved. */
export function resolvedOf(state: RunState, task: TaskState['task']): JsonValue {
  try {
    return resolveArgs(task, outputsFor(task, state));
  } catch {
    return task.args; // An input is missing: show the reference itself.
  }
}
