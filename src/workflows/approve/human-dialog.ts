import {
  isJsonObject,
  type JsonObject,
  type RunCommand,
  type RunState,
  type TaskId,
  type TaskState,
} from '../../core/index.js';
import { describeQuestion, SHOWN_TASKS } from './run-question.js';

/** What a user is asked about a paused run, and what the answer decides. */
export interface HumanDialog {
  readonly message: string;
  readonly requestedSchema: JsonObject;
  readonly tasks: readonly TaskId[];
  /** Nothing when the user does not want to decide. */
  readonly read: (answer: JsonObject) => RunCommand | undefined;
}

/** Longer messages of a user are cut. */
const MOST_MESSAGE = 1_000;

/** What the user says with an answer. */
export function messageIn(answer: JsonObject): string | undefined {
  const { message } = contentOf(answer);
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  return message.trim().slice(0, MOST_MESSAGE);
}

/** Failures leave room in a question for the calls that would go on. */
const SHOWN_FAILURES = SHOWN_TASKS / 2;

/**
 * One thing at a time: calls in doubt first, then what becomes of a failure, then what waits for
 * approval. An answer decides about the calls that are shown; the run asks again for what is left.
 */
export function dialogOf(state: RunState, open: readonly TaskState[]): HumanDialog {
  const those = (status: TaskState['status']) => open.filter((one) => one.status === status);
  const [doubtful, failed, held] = [those('in_doubt'), those('failed'), those('needs_approval')];
  if (doubtful.length > 0) {
    const shown = doubtful.slice(0, SHOWN_TASKS);
    return {
      ...asking(state, shown, doubtful.length),
      requestedSchema: DOUBT,
      read: (answer) => {
        const decision = chosen(answer);
        const isKnown = decision === 'retry' || decision === 'skip';
        return isKnown ? { kind: decision, tasks: idsOf(shown) } : undefined;
      },
    };
  }
  if (failed.length > 0) {
    const failures = failed.slice(0, SHOWN_FAILURES);
    const next = held.slice(0, SHOWN_TASKS - failures.length);
    return {
      ...asking(state, [...failures, ...next], failed.length + held.length),
      requestedSchema: FAILURE,
      read: (answer) => {
        const decision = chosen(answer);
        if (decision === 'retry') return { kind: 'retry', tasks: idsOf(failures) };
        return decision === 'go_on' ? { kind: 'approve', tasks: idsOf(next) } : undefined;
      },
    };
  }
  const shown = held.slice(0, SHOWN_TASKS);
  return {
    ...asking(state, shown, held.length),
    requestedSchema: APPROVAL,
    read: (answer) => readApproval(answer, shown),
  };
}

function asking(state: RunState, shown: readonly TaskState[], all: number) {
  const more = all - shown.length;
  const rest = more > 0 ? `\n${more} more are asked about afterwards.` : '';
  return { message: `${describeQuestion(state, shown)}${rest}`, tasks: idsOf(shown) };
}

const MESSAGE = { type: 'string', title: 'Message to the agent', maxLength: MOST_MESSAGE };

const APPROVAL: JsonObject = {
  type: 'object',
  properties: {
    allow: { type: 'boolean', title: 'Allow these calls', default: false },
    all_calls: {
      type: 'boolean',
      title: 'Also allow every further call of these tools in this run',
      default: false,
    },
    message: MESSAGE,
  },
  required: ['allow'],
};

const DOUBT = choice({
  retry: 'Call again: it did not happen',
  skip: 'Go on without calling again',
});
const FAILURE = choice({ retry: 'Try again what failed', go_on: 'Go on with what is left' });

function choice(titles: Readonly<Record<string, string>>): JsonObject {
  const decision = {
    type: 'string',
    title: 'What to do',
    enum: Object.keys(titles),
    enumNames: Object.values(titles),
  };
  return { type: 'object', properties: { decision, message: MESSAGE }, required: ['decision'] };
}

function readApproval(answer: JsonObject, held: readonly TaskState[]): RunCommand | undefined {
  const tasks = idsOf(held);
  if (answer['action'] === 'decline') return { kind: 'reject', tasks };
  if (answer['action'] !== 'accept') return undefined;
  const { allow, all_calls: isForAll } = contentOf(answer);
  if (allow === true && isForAll === true) {
    return { kind: 'approve', tasks, tools: [...new Set(held.map(({ task }) => task.tool))] };
  }
  if (allow === true) return { kind: 'approve', tasks };
  const because = messageIn(answer);
  return { kind: 'reject', tasks, ...(because !== undefined && { because }) };
}

function chosen(answer: JsonObject): unknown {
  return answer['action'] === 'accept' ? contentOf(answer)['decision'] : undefined;
}

function contentOf({ content }: JsonObject): JsonObject {
  return isJsonObject(content) ? content : {};
}

function idsOf(tasks: readonly TaskState[]) {
  return tasks.map(({ task }) => task.id);
}
