import { randomBytes } from 'node:crypto';

import {
  asJsonObject,
  isExchange,
  type JsonObject,
  maySee,
  messageOf,
  PmlError,
  type Principal,
  type RunId,
  runId,
  type RunState,
} from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import type { RequestContext } from '../../tools/index.js';
import { serveContinue, type Workflows } from '../../workflows/index.js';
import { HeldCall, type HeldCalls } from '../session/held-calls.js';
import { heldContext } from '../session/held-context.js';
import { detailedTask, KEEP_MS, taskOf } from './describe-task.js';

/** A run that takes longer than this becomes a task of its client. */
const SYNC_MS = 1_000;
/** How long the first question about a run waits for what the run has to say. */
const ATTACH_MS = 100;

interface OpenTask {
  readonly call: HeldCall;
  readonly run: RunId;
  readonly session: string;
  readonly principal: Principal;
}

/** The run of a request, as soon as the request has one. */
export class BegunRun {
  readonly known: Promise<{ readonly run: RunId; readonly withinMs: number }>;
  #run: RunId | undefined;
  #tell: (begun: { readonly run: RunId; readonly withinMs: number }) => void = () => {};

  constructor() {
    this.known = new Promise((resolve) => (this.#tell = resolve));
  }

  get run(): RunId | undefined {
    return this.#run;
  }

  readonly onRun = (run: RunId, withinMs: number): void => {
    this.#run ??= run;
    this.#tell({ run, withinMs });
  };
}

/**
 * Runs as tasks, for clients that declare the extension. The task is the request that waits for the run:
 * its questions are those of the run, its result the answer. The id names the run, so a client can ask
 * after PML was restarted: then PML waits for the run again.
 */
export class RunTasks {
  readonly #workflows: Workflows;
  readonly #open = new Map<string, OpenTask>();

  constructor(workflows: Workflows) {
    this.#workflows = workflows;
  }

  /** Waits for a call. If its run asks or takes long, the answer is a task. */
  async wait(call: HeldCall, begun: BegunRun, held: HeldCalls): Promise<JsonObject> {
    let timer: NodeJS.Timeout | undefined;
    const late = begun.known.then(
      ({ withinMs }) =>
        new Promise<'late'>((resolve) => {
          timer = setTimeout(() => resolve('late'), Math.min(SYNC_MS, withinMs));
        }),
    );
    const { request } = call;
    const first = await Promise.race([call.next(), late]).finally(() => clearTimeout(timer));
    if (first !== 'late' && 'result' in first) return first.result;
    const { run } = begun;
    // Only a run outlives its request: any other call is held until the client answers.
    if (run === undefined || !request) return held.wait(call);
    const id = `${run}.${randomBytes(6).toString('hex')}`;
    this.#keep(id, { call, run, ...ownerOf(request) });
    const { state } = await this.#workflows.runs.open(run);
    return { resultType: 'task', ...taskOf({ id, call, state, now: Date.now() }) };
  }

  async get(id: string, context: RequestContext): Promise<JsonObject> {
    const { call, run } = await this.#find(id, context);
    return detailedTask({ id, call, state: await this.#stateOf(run), now: Date.now() });
  }

  /** Answers to questions that are not open are ignored, as the extension wants it. */
  async update(id: string, responses: JsonObject, context: RequestContext): Promise<void> {
    const { call } = await this.#find(id, context);
    call.answer(responses);
  }

  async cancel(id: string, context: RequestContext): Promise<void> {
    const { call } = await this.#find(id, context);
    if (!call.end) call.abort(new PmlError('CALL_CANCELLED', 'cancelled by the client'));
  }

  /** A client disconnected: its runs go on without it, and it may ask again. */
  leave(session: string): void {
    const gone = new PmlError('CALL_CANCELLED', 'the client is gone', {
      details: { isGone: true },
    });
    for (const [id, task] of this.#open) {
      if (task.session !== session) continue;
      this.#open.delete(id);
      if (!task.call.end) task.call.abort(gone);
    }
  }

  async #find(id: string, context: RequestContext): Promise<OpenTask> {
    const { principal } = context.caller;
    const open = this.#open.get(id);
    const isShared = open && isExchange(principal) && maySee(principal, open.principal);
    if (open && (open.principal === principal || isShared)) return open;
    const run = runId(id.split('.')[0] ?? '');
    const { owner } = await this.#stateOf(run);
    if (!maySee(principal, owner)) throw new RpcError(RPC.invalidParams, `No such task: ${id}`);
    return this.#attach(id, run, context);
  }

  async #stateOf(run: RunId): Promise<RunState> {
    try {
      return (await this.#workflows.runs.open(run)).state;
    } catch (error) {
      if (!(error instanceof PmlError)) throw error;
      throw new RpcError(RPC.invalidParams, `No such task: ${messageOf(error)}`);
    }
  }

  /** Waits for a run on behalf of a client that knows it from before. */
  async #attach(id: string, run: RunId, context: RequestContext): Promise<OpenTask> {
    const prefix = `q${randomBytes(4).toString('hex')}-`;
    const call = new HeldCall(
      async (own, stop) => {
        const waiting = { ...heldContext(own, context, stop), onRun: () => {} };
        return asJsonObject(await serveContinue(this.#workflows, { run }, waiting));
      },
      { prefix },
    );
    const task = { call, run, ...ownerOf(context) };
    this.#keep(id, task);
    let timer: NodeJS.Timeout | undefined;
    const soon = new Promise((resolve) => (timer = setTimeout(resolve, ATTACH_MS)));
    // An error is the end of the task, and part of its description.
    await Promise.race([call.next().catch(() => {}), soon]).finally(() => clearTimeout(timer));
    return task;
  }

  #keep(id: string, task: OpenTask): void {
    this.#open.set(id, task);
    void task.call.ended.then(() => {
      setTimeout(() => {
        if (this.#open.get(id) === task) this.#open.delete(id);
      }, KEEP_MS).unref();
    });
  }
}

function ownerOf({ caller: { session, principal } }: RequestContext) {
  return { session, principal };
}
