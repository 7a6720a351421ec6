import { type RunMessage, type RunState, type TaskState, visible } from '../../core/index.js';
import { rejectedTasks } from '../../executor/index.js';
import { openTasks } from './open-tasks.js';

/** Most tasks named per kind; the rest are counted. */
const SHOWN_TASKS = 4;
/** Characters for all results together, and per reason and message: about 120 tokens in all. */
const RESULT_CHARACTERS = 100;
const REASON_CHARACTERS = 40;
const MESSAGE_CHARACTERS = 72;
/** Characters read of a result, which may be megabytes long. */
const READ_CHARACTERS = 400;

/**
 * A short summary of any run: results so far, failures, rejections, waiting tasks with reasons,
 * and the last message.
 */
export function summarizeProgress(state: RunState): string {
  const failed = ownTasks(state).filter((one) => one.status === 'failed');
  const waiting = openTasks(state).filter(({ status }) => status !== 'failed');
  return [
    sentence('Done', describeDone(state)),
    sentence(
      'Failed',
      named(failed, (one) => withReason(one, 'error' in one && one.error.message)),
    ),
    sentence(
      'Rejected',
      named(rejectedTasks(state), (one) => withReason(one, one.because)),
    ),
    sentence(
      'Waits',
      named(waiting, (one) => withReason(one, 'because' in one && one.because)),
    ),
    lastSaid(state.messages),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The newest succeeded tasks, each with the beginning of its result; empty if there is none. */
export function describeDone(state: RunState): string {
  const done = ownTasks(state).filter((one) => one.status === 'completed');
  const each = Math.floor(RESULT_CHARACTERS / Math.min(SHOWN_TASKS, Math.max(1, done.length)));
  return named(done.toReversed(), (one) => `${nameOf(one)} → ${short(resultText(one), each)}`);
}

/** Without the calls inside capabilities: the client did not ask for them. */
function ownTasks({ tasks }: RunState): readonly TaskState[] {
  return tasks.filter(({ task }) => task.parent === undefined);
}

function named<T>(all: readonly T[], describe: (one: T) => string): string {
  const shown = all.slice(0, SHOWN_TASKS).map(describe);
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function sentence(head: string, text: string): string {
  return text === '' ? '' : `${head}: ${text}.`;
}

function withReason(one: TaskState, reason: string | false): string {
  return reason ? `${nameOf(one)} (${short(reason, REASON_CHARACTERS)})` : nameOf(one);
}

const nameOf = ({ task }: TaskState): string => short(task.id, REASON_CHARACTERS);

function resultText(one: TaskState): string {
  if (one.status !== 'completed') return '';
  const { content, structuredContent } = one.result;
  const text = content.find(({ type }) => type === 'text')?.['text'];
  if (typeof text === 'string') return text;
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.length === 0 ? 'nothing' : `${content.length} blocks without text`;
}

function lastSaid(messages: readonly RunMessage[]): string {
  const last = messages.findLast(({ by }) => by !== undefined);
  return last ? `The ${last.by} says: ${short(last.text, MESSAGE_CHARACTERS)}` : '';
}

/** One line without control characters, cut between characters. */
function short(text: string, most: number): string {
  const line = visible(
    withoutHalves(text.slice(0, READ_CHARACTERS)).replaceAll(/\s+/g, ' ').trim(),
  );
  const characters = Array.from(line);
  const isCut = characters.length > most || text.length > READ_CHARACTERS;
  return isCut ? `${characters.slice(0, most).join('')}…` : line;
}

/** Removes half characters that a cut may leave. */
function withoutHalves(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '');
}
