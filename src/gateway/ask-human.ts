import {
  isJsonObject,
  type JsonObject,
  messageOf,
  PmlError,
  type RunCommand,
  type TaskState,
} from '../core/index.js';
import type { LiveRun } from '../executor/index.js';
import type { Gateway } from './gateway.js';
import type { RequestContext } from './request-context.js';
import { describeQuestion, openTasks } from './run-question.js';

/**
 * Asks the user behind a client what a paused run asks, where the client can. True when the run is
 * decided, by that answer or by somebody else who was faster; false when nobody is going to.
 */
export async function askHuman(
  gateway: Gateway,
  live: LiveRun,
  { caller }: RequestContext,
): Promise<boolean> {
  if (!caller.capabilities['elicitation']) return false;
  const asked = openTasks(live.state);
  const decided = new AbortController();
  const isOpen = () => live.phase === 'paused' && openTasks(live.state).length === asked.length;
  void (async () => {
    while (isOpen()) await live.changed();
    decided.abort();
  })();
  const isDoubt = asked.some(({ status }) => status === 'doubtful');
  const request = {
    message: describeQuestion(live.state, asked),
    requestedSchema: isDoubt ? DOUBT : APPROVAL,
  };
  try {
    const answer = await caller.ask('elicitation/create', request, decided.signal);
    const command = isDoubt ? readDoubt(answer, asked) : readApproval(answer, asked);
    if (!command) return false;
    await live.decide(command, 'human');
    return true;
  } catch (error) {
    if (decided.signal.aborted) return true;
    if (error instanceof PmlError && error.code === 'RUN_DECIDED') {
      const data = `Your answer came too late. ${error.message}`;
      caller.tell('notifications/message', { level: 'notice', logger: 'pml', data });
      return true;
    }
    // The agent decides then: the question is in the answer it gets.
    gateway.log.debug('user not asked', { run: live.state.run, error: messageOf(error) });
    return false;
  }
}

const APPROVAL: JsonObject = {
  type: 'object',
  properties: { allow: { type: 'boolean', title: 'Allow these calls', default: false } },
  required: ['allow'],
};

const DOUBT: JsonObject = {
  type: 'object',
  properties: {
    decision: {
      type: 'string',
      title: 'What to do',
      enum: ['retry', 'skip'],
      enumNames: ['Call again: it did not happen', 'Go on without calling again'],
    },
  },
  required: ['decision'],
};

function readApproval(answer: JsonObject, asked: readonly TaskState[]): RunCommand | undefined {
  const tasks = asked.map(({ task }) => task.id);
  const content = isJsonObject(answer['content']) ? answer['content'] : {};
  if (answer['action'] === 'accept') {
    return { kind: content['allow'] === true ? 'approve' : 'reject', tasks };
  }
  return answer['action'] === 'decline' ? { kind: 'reject', tasks } : undefined;
}

function readDoubt(answer: JsonObject, asked: readonly TaskState[]): RunCommand | undefined {
  const tasks = asked.filter(({ status }) => status === 'doubtful').map(({ task }) => task.id);
  const content = isJsonObject(answer['content']) ? answer['content'] : {};
  const decision = answer['action'] === 'accept' ? content['decision'] : undefined;
  return decision === 'retry' || decision === 'skip' ? { kind: decision, tasks } : undefined;
}
