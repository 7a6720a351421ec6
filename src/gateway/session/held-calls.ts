import { randomBytes } from 'node:crypto';

import { type JsonObject, PmlError } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import type { RequestContext } from '../../tools/index.js';

/** A client that never comes back must not keep a server call open for ever. */
const HOLD_MS = 600_000;
/** Questions that come together are asked together. */
const GATHER_MS = 5;

interface Question {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

export type CallEnd = { readonly result: JsonObject } | { readonly error: unknown };

/**
 * Bridges a server that asks in the middle of a call to a client of the stateless revision, which
 * is asked by *ending* its request: the call is held, the answer is `input_required`, and the
 * client's next request with the same state brings the answers and resumes the call.
 */
export class HeldCall {
  readonly #outcome: Promise<CallEnd>;
  readonly #stop: AbortController;
  readonly #questions = new Map<string, Question>();
  /** The client request that waits for this call now; none while it is held. */
  request: RequestContext | undefined;
  readonly #prefix: string;
  #nextKey = 1;
  #onQuestion: () => void = () => {};
  #end: CallEnd | undefined;

  /** `prefix` tells its questions from those of another call for the same task. */
  constructor(
    work: (held: HeldCall, signal: AbortSignal) => Promise<JsonObject>,
    { prefix = 'q' } = {},
  ) {
    this.#prefix = prefix;
    this.#stop = new AbortController();
    this.#outcome = work(this, this.#stop.signal).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    // A question of another call may have come through this one: it must find another route now.
    const ended = new PmlError('CALL_CANCELLED', 'the call ended before its question was answered');
    void this.#outcome.then((end) => {
      this.#end = end;
      this.#refuseQuestions(ended);
    });
  }

  /** Resolves when it has ended, however. */
  get ended(): Promise<unknown> {
    return this.#outcome;
  }

  /** How it ended; undefined while it goes on. */
  get end(): CallEnd | undefined {
    return this.#end;
  }

  /** What must be answered before it can go on, as the stateless revision writes it. */
  get questions(): JsonObject {
    return this.#asInputRequests();
  }

  ask(method: string, params: JsonObject | undefined): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.#questions.set(`${this.#prefix}${this.#nextKey++}`, { method, params, resolve, reject });
      this.#onQuestion();
    });
  }

  answer(responses: JsonObject): void {
    for (const [key, question] of this.#questions) {
      const response = responses[key];
      if (response === undefined) continue;
      this.#questions.delete(key);
      question.resolve(response as JsonObject);
    }
  }

  abort(reason: Error): void {
    this.#stop.abort(reason);
    this.#refuseQuestions(reason);
  }

  /** The result, or the questions that must be answered before there can be one. */
  async next(): Promise<{ result: JsonObject } | { questions: JsonObject }> {
    const asked = new Promise<'asked'>((resolve) => {
      const gather = () => setTimeout(() => resolve('asked'), GATHER_MS);
      this.#onQuestion = gather;
      if (this.#questions.size > 0) gather();
    });
    const first = await Promise.race([this.#outcome, asked]);
    if (first === 'asked') return { questions: this.#asInputRequests() };
    if ('error' in first) throw first.error;
    return { result: first.result };
  }

  #refuseQuestions(reason: Error): void {
    for (const question of this.#questions.values()) question.reject(reason);
    this.#questions.clear();
  }

  #asInputRequests(): JsonObject {
    return Object.fromEntries(
      [...this.#questions].map(([key, { method, params }]) => [
        key,
        params ? { method, params } : { method },
      ]),
    );
  }
}

interface Held {
  readonly call: HeldCall;
  readonly timer: NodeJS.Timeout;
  /** Of the client that was asked. */
  readonly session: string | undefined;
}

/** The held calls of the whole daemon: a stateless client may come back on any connection. */
export class HeldCalls {
  readonly #held = new Map<string, Held>();

  /** Waits for the call; a question puts it on hold and becomes the answer. */
  async wait(call: HeldCall): Promise<JsonObject> {
    const outcome = await call.next();
    if ('result' in outcome) return outcome.result;
    const state = `pml.${randomBytes(18).toString('base64url')}`;
    const timer = setTimeout(
      () => this.#giveUp(state, 'the client did not answer in time'),
      HOLD_MS,
    );
    timer.unref();
    this.#held.set(state, { call, timer, session: call.request?.caller.session });
    return { resultType: 'input_required', inputRequests: outcome.questions, requestState: state };
  }

  /** A client left: it will not answer the questions of its calls. */
  leave(session: string): void {
    for (const [state, held] of this.#held) {
      if (held.session === session) this.#giveUp(state, 'the client is gone');
    }
  }

  #giveUp(state: string, reason: string): void {
    const held = this.#held.get(state);
    if (!held) return;
    this.#held.delete(state);
    clearTimeout(held.timer);
    held.call.abort(new PmlError('CALL_CANCELLED', reason, { details: { isGone: true } }));
  }

  static isOurs(state: unknown): state is string {
    return typeof state === 'string' && state.startsWith('pml.');
  }

  /** Resumes a held call. A state works once: a replay cannot answer twice. */
  resume(state: string, responses: JsonObject): HeldCall {
    const held = this.#held.get(state);
    if (!held) throw new RpcError(RPC.invalidParams, 'requestState is unknown, used or too old');
    this.#held.delete(state);
    clearTimeout(held.timer);
    held.call.answer(responses);
    return held.call;
  }
}
