import { setTimeout as delay } from 'node:timers/promises';

import {
  asText,
  isJsonObject,
  type JsonObject,
  messageOf,
  PmlError,
  type PmlErrorCode,
  type Progress,
  type RemoteTask,
} from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import { readReport, type TaskReport } from './task-wire.js';

/** If the server does not say how often PML may ask. */
const POLL_MS = 1_000;
const LEAST_POLL_MS = 20;
const MOST_POLL_MS = 60_000;
/** A server that is out of reach for this many polls in a row is given up. */
const MOST_LOST_POLLS = 8;
const FIRST_LOST_MS = 250;
/** A task is not waited for any longer: its server has this long to hear it. */
const CANCEL_MS = 5_000;

/** Failures of a poll that say nothing about the task. */
const OUT_OF_REACH: ReadonlySet<PmlErrorCode> = new Set([
  'SERVER_CRASHED',
  'SERVER_NOT_STARTED',
  'TOOL_TIMED_OUT',
]);

export interface FollowOptions {
  /** Sends a request about the task to the server that has it. */
  readonly request: (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ) => Promise<JsonObject>;
  /** Asks the client what the task needs to know. */
  readonly ask: (
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
  ) => Promise<JsonObject>;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/**
 * Waits for a task of a server and gives the result of the call that it carries out. What the task
 * asks goes to the client. If PML no longer wants the result, it asks the server to cancel the task;
 * if only this process ends, the task goes on, and the next process waits for it.
 */
export async function followTask(remote: RemoteTask, options: FollowOptions): Promise<JsonObject> {
  const { signal } = options;
  const follower = new TaskFollower(remote, options);
  try {
    return await follower.result();
  } catch (error) {
    if (signal.aborted && !isLeaving(signal.reason)) follower.cancel();
    throw error;
  }
}

function isLeaving(reason: unknown): boolean {
  return reason instanceof PmlError && reason.code === 'DAEMON_UNREACHABLE';
}

class TaskFollower {
  readonly #remote: RemoteTask;
  readonly #options: FollowOptions;
  /** Questions that were asked: a server lists them until it has processed their answers. */
  readonly #asked = new Set<string>();
  #polls = 0;

  constructor(remote: RemoteTask, options: FollowOptions) {
    this.#remote = remote;
    this.#options = options;
  }

  async result(): Promise<JsonObject> {
    const { signal } = this.#options;
    for (;;) {
      const report = await this.#poll();
      const end = await this.#endOf(report);
      if (end) return end;
      await this.#answer(report.inputRequests);
      await delay(pauseOf(report), undefined, { signal });
    }
  }

  /** The server decides whether it stops the work. */
  cancel(): void {
    const { request } = this.#options;
    request('tasks/cancel', { taskId: this.#remote.id }, AbortSignal.timeout(CANCEL_MS)).catch(
      () => {}, // A courtesy: the client has its answer.
    );
  }

  async #poll(): Promise<TaskReport> {
    for (let lost = 0; ; lost++) {
      try {
        return this.#tell(readReport(await this.#request('tasks/get')));
      } catch (error) {
        const isLost = error instanceof PmlError && OUT_OF_REACH.has(error.code);
        if (error instanceof RpcError) throw this.#unknown(error);
        if (!isLost || lost >= MOST_LOST_POLLS) throw error;
        await delay(FIRST_LOST_MS * 2 ** lost, undefined, { signal: this.#options.signal });
      }
    }
  }

  #request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const { request, signal } = this.#options;
    return request(method, { taskId: this.#remote.id, ...params }, signal);
  }

  #tell(report: TaskReport): TaskReport {
    const { status, message } = report;
    const progress = ++this.#polls;
    this.#options.onProgress?.({ progress, message: message ?? `its task is ${status}` });
    return report;
  }

  /** The result of the task once it has one; throws if there will be none. */
  async #endOf({ status, result, error, message }: TaskReport): Promise<JsonObject | undefined> {
    const isOld = this.#remote.era === 'legacy';
    // The older form gives results, and asks its questions, over a request that waits.
    if (isOld && status !== 'working' && status !== 'cancelled') {
      return this.#request('tasks/result');
    }
    switch (status) {
      case 'completed':
        if (result) return result;
        throw this.#broken('is completed and has no result');
      case 'failed':
        throw new RpcError(
          typeof error?.['code'] === 'number' ? error['code'] : RPC.internalError,
          asText(error?.['message']) || message || 'its task failed',
          error?.['data'],
        );
      case 'cancelled':
        throw new PmlError('CALL_CANCELLED', `The server cancelled task ${this.#remote.id}`);
      case 'working':
      case 'input_required':
        return undefined;
      default:
        throw this.#broken(`has the unknown status ${status}`);
    }
  }

  /** Without a client that can answer, the task waits: another client may come. */
  async #answer(requests: JsonObject): Promise<void> {
    const open = Object.entries(requests).filter(([key]) => !this.#asked.has(key));
    if (open.length === 0) return;
    const answers = await Promise.all(open.map(([key, request]) => this.#ask(key, request)));
    const inputResponses = Object.fromEntries(
      answers.flatMap((answer) => (answer ? [answer] : [])),
    );
    if (Object.keys(inputResponses).length === 0) return;
    await this.#request('tasks/update', { inputResponses });
  }

  async #ask(key: string, request: unknown): Promise<readonly [string, JsonObject] | undefined> {
    if (!isJsonObject(request)) throw this.#broken(`asks for "${key}" without a request`);
    const { ask, signal } = this.#options;
    const params = isJsonObject(request['params']) ? request['params'] : undefined;
    this.#asked.add(key);
    try {
      return [key, await ask(asText(request['method']), params, signal)];
    } catch (error) {
      signal.throwIfAborted();
      this.#asked.delete(key);
      if (error instanceof PmlError) return undefined;
      // The client cannot answer, so the task would wait for ever.
      this.cancel();
      throw error;
    }
  }

  #unknown(error: RpcError): Error {
    if (error.code !== RPC.invalidParams) return error;
    const text = `its server no longer has task ${this.#remote.id}: ${messageOf(error)}`;
    return new PmlError('SERVER_CRASHED', text, { cause: error });
  }

  #broken(what: string): PmlError {
    return new PmlError('SERVER_PROTOCOL_ERROR', `Task ${this.#remote.id} ${what}`);
  }
}

function pauseOf({ pollMs = POLL_MS }: TaskReport): number {
  return Math.min(Math.max(pollMs, LEAST_POLL_MS), MOST_POLL_MS);
}
