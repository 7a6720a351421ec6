import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  messageOf,
  PmlError,
  type RunScript,
  type RunState,
  type Sandbox,
  type SandboxCall,
  type SandboxEnd,
  type SandboxLimits,
  type SandboxLine,
  type SandboxOperation,
  type SandboxReply,
  type ScriptEnd,
  type Task,
  type TaskError,
  type TaskId,
  taskId,
  type TaskState,
  type ToolId,
  type TracedOperation,
} from '../core/index.js';
import { type LiveRun, WakeUp } from '../executor/index.js';
import { outputValue } from '../plan/index.js';
import { Replay } from './replay.js';

/** Code made ready for the sandbox. */
export interface ReadyCode {
  readonly source: string;
  readonly operations: readonly { readonly operation: string; readonly line: number }[];
  /** Where a place in `source` stands in the agent's own text, with that line of it. */
  readonly locate: (line: number, column: number) => { line: number; column: number; text: string };
}

export interface ScriptPorts {
  readonly sandbox: Sandbox;
  readonly limits: (script: RunScript) => SandboxLimits;
  /** Throws `CODE_INVALID`. */
  readonly prepare: (code: string) => ReadyCode;
  /** Why a call may not be made at all: an unknown tool, wrong arguments, a rule of the user. */
  readonly refuse: (
    call: { readonly tool: ToolId; readonly args: JsonObject },
    options: { readonly isReadOnly: boolean },
  ) => Promise<TaskError | undefined>;
}

/** Where a script is executed that a task of a run runs. */
export interface NestedPlace {
  readonly task: TaskId;
  /** How many scripts wait for it. */
  readonly depth: number;
  /** Aborted when nobody waits for its result any more. */
  readonly signal: AbortSignal;
}

/** How a script ended, with what it left. */
export interface ScriptOutcome {
  readonly end: ScriptEnd;
  readonly logs: readonly SandboxLine[];
  readonly operations: readonly TracedOperation[];
}

/** Of the script of a run; of each that its tasks run, of which there may be many, a quarter. */
const MOST_LINES = 200;
const MOST_OPERATIONS = 500;

/**
 * Executes the script of a run in a sandbox and makes its calls tasks of that run. Executed again, after
 * a crash or a long pause, the script gets the answers it got then, and goes on where they end.
 */
export class ScriptDriver {
  readonly #live: LiveRun;
  readonly #ports: ScriptPorts;
  readonly #replay: Replay;
  readonly #stop = new AbortController();
  /** Calls that wait for their turn while old answers are given. */
  readonly #asked = new Map<TaskId, (reply: SandboxReply) => void>();
  readonly #fresh: (() => void)[] = [];
  readonly #logs: SandboxLine[] = [];
  readonly #operations: SandboxOperation[] = [];
  readonly #parent: TaskId | undefined;
  readonly #depth: number;
  readonly #signal: AbortSignal;
  readonly #share: number;
  /** Which of its calls, by their ids, are tasks. */
  readonly #made: number[] = [];
  readonly #startedAt: number;
  /** Calls that are tasks, and whose answers the script does not have yet. */
  readonly #awaited = new Set<TaskId>();
  #ended: ScriptOutcome | undefined;
  #isAsleep = false;
  /** The script says it waits; calls that are still looked at may be refused and wake it. */
  #isWaiting = false;
  #lookedAt = 0;
  readonly #lookedUp = new WakeUp();
  /** The clock of the script. */
  #now: number;
  #due: number | undefined;
  #giving: Promise<void> = Promise.resolve();

  /** Without `nested` it is the script of the run itself. */
  constructor(live: LiveRun, ports: ScriptPorts, nested?: NestedPlace) {
    const parent = nested?.task;
    this.#live = live;
    this.#ports = ports;
    this.#parent = parent;
    this.#depth = nested?.depth ?? 0;
    this.#share = nested ? 0.25 : 1;
    const given = nested ? [nested.signal] : [];
    this.#signal = AbortSignal.any([live.scriptSignal, this.#stop.signal, ...given]);
    this.#startedAt = startOf(live, parent);
    this.#now = this.#startedAt;
    this.#replay = new Replay(live.state, live.events, parent);
  }

  /** How the script came to its end; nothing when it was put to sleep or given up. */
  async run(script: RunScript): Promise<ScriptOutcome | undefined> {
    let ready: ReadyCode;
    try {
      ready = this.#ports.prepare(script.code);
    } catch (error) {
      return { end: { status: 'failed', error: errorOf(error) }, logs: [], operations: [] };
    }
    const { code: _code, timeoutMs: _ms, ...given } = script;
    const end = await this.#ports.sandbox.run(
      { source: ready.source, ...given, now: this.#startedAt },
      {
        call: (call) => this.#call(call),
        log: (line) => this.#log(line),
        operated: (operations) => this.#operated(operations),
        waiting: () => this.#waiting(),
        waitUntil: (due, timer) => this.#waitUntil(due, timer),
      },
      { limits: this.#ports.limits(script), signal: this.#signal, depth: this.#depth },
    );
    if (this.#isAsleep) return undefined;
    const ended = this.#ended?.end ?? this.#endOf(end, ready);
    return ended && this.#outcome(ended, ready);
  }

  /** When the timer goes off that the script waits for. */
  get due(): number | undefined {
    return this.#due;
  }

  /** Gives back what the script holds; it is executed again when it is needed. */
  sleep(): void {
    this.#isAsleep = true;
    this.#stop.abort();
  }

  async #call({ id: place, kind, name, args }: SandboxCall): Promise<SandboxReply> {
    const tool = toolOf(kind, name);
    const given = argsOf(kind, name, args);
    const known = given && this.#replay.claim({ tool, args: given });
    if (known !== undefined) {
      this.#made.push(place);
      return this.#repeated(known);
    }
    const refused = await this.#lookAt(tool, given);
    if (refused || !given) return this.#refusal(refused ?? badArgs(tool));
    // What the script did not do before is done only when it has caught up with itself.
    if (!this.#replay.isOver) {
      if (this.#isWaiting) this.#waiting();
      await new Promise<void>((go) => this.#fresh.push(go));
    }
    // It was given up while its call was looked at: nobody would hear the answer.
    if (this.#signal.aborted) return this.#refusal(givenUp(tool));
    this.#made.push(place);
    const id = freshId(this.#live.state);
    const parent = this.#parent;
    const task: Task = { id, tool, args: given, needs: [], ...(parent && { parent }) };
    this.#live.call(task);
    const answer = this.#answer(id);
    if (this.#isWaiting) this.#waiting();
    return answer;
  }

  async #lookAt(tool: ToolId, args: JsonObject | undefined): Promise<TaskError | undefined> {
    const { isReadOnly = false } = this.#live.state;
    this.#lookedAt++;
    try {
      return await (args ? this.#ports.refuse({ tool, args }, { isReadOnly }) : badArgs(tool));
    } finally {
      this.#lookedAt--;
      this.#lookedUp.ring();
    }
  }

  /** A call of then: its answer has its place among the others; one without waits for it. */
  async #repeated(id: TaskId): Promise<SandboxReply> {
    if (!this.#replay.hadAnswer(id)) {
      this.#letGo();
      return this.#answer(id, () => this.#caughtUp());
    }
    const reply = new Promise<SandboxReply>((resolve) => this.#asked.set(id, resolve));
    // One after the other: their order is what the script goes by.
    this.#giving = this.#giving
      .then(() => this.#giveAnswers())
      .catch((error: unknown) => this.#giveUp(error));
    return reply;
  }

  async #giveAnswers(): Promise<void> {
    for (let id = this.#replay.take(); id !== undefined; id = this.#replay.take()) {
      const resolve = this.#asked.get(id);
      this.#asked.delete(id);
      resolve?.(await this.#answer(id));
    }
    this.#letGo();
  }

  #letGo(): void {
    if (this.#replay.isOver) for (const go of this.#fresh.splice(0)) go();
  }

  /** All answers of then come before one that is new. */
  async #caughtUp(): Promise<void> {
    if (!this.#replay.isOver) await new Promise<void>((go) => this.#fresh.push(go));
    await this.#giving;
  }

  async #answer(id: TaskId, turn?: () => Promise<void>): Promise<SandboxReply> {
    this.#awaited.add(id);
    const task = await this.#live.ended(id);
    await turn?.();
    this.#awaited.delete(id);
    return this.#reply(task);
  }

  #reply(task: TaskState): SandboxReply {
    this.#goOn('at' in task ? task.at : this.#now);
    const now = this.#now;
    if (task.status === 'succeeded') return { ok: true, value: outputValue(task.result), now };
    if (task.status === 'failed') return { ok: false, error: toolError(task.error), now };
    const message = task.status === 'skipped' ? task.because : 'was not carried out';
    const error = toolError({ code: 'TOOL_DENIED', message: `${task.task.tool}: ${message}` });
    return { ok: false, error, now };
  }

  #goOn(at: number): void {
    this.#live.setScriptBusy(true, this.#parent);
    this.#isWaiting = false;
    this.#due = undefined;
    this.#now = Math.max(this.#now, at);
  }

  #refusal(error: TaskError): SandboxReply {
    this.#isWaiting = false;
    this.#due = undefined;
    // Not recorded, so it must not move the clock: executed again it would move it elsewhere.
    return { ok: false, error: toolError(error), now: this.#now };
  }

  #waiting(): void {
    this.#isWaiting = true;
    if (this.#lookedAt > 0) return;
    const { missing } = this.#replay;
    const hasTimer = this.#due !== undefined;
    if (missing !== undefined && !hasTimer) return void this.#diverged([missing]);
    // While there are old answers to give, one of them is on its way.
    const isOpen = this.#replay.isOver && (!hasTimer || this.#awaited.size > 0);
    if (isOpen) this.#live.setScriptBusy(false, this.#parent);
  }

  /**
   * Lets time pass for a script that has nothing else to do. When a timer goes off is not recorded: it
   * follows from the times of the answers, as long as none that is earlier comes after it.
   */
  async #waitUntil(due: number, signal: AbortSignal): Promise<void> {
    this.#due = due;
    this.#waiting();
    for (;;) {
      // A refusal takes no time, so that it has its place however long it took.
      while (this.#lookedAt > 0) await this.#lookedUp.next();
      // An answer that is half given is given.
      await nextTurn();
      if (signal.aborted) return;
      if (this.#lookedAt > 0) continue;
      const step = this.#timeTo(due);
      if (step === 'diverged') return;
      if (step === 'answer') return untilAborted(signal);
      if (step === 'now') break;
      await delay(step, undefined, { signal }).catch(() => {}); // The script went on.
      if (!signal.aborted) this.#live.clock.reach(due);
    }
    this.#goOn(due);
  }

  /** What has to come before a timer goes off: nothing, an answer, or so many milliseconds. */
  #timeTo(due: number): 'now' | 'answer' | 'diverged' | number {
    const { missing, isOver } = this.#replay;
    if (!isOver && missing === undefined) return 'answer';
    const past = missing && this.#replay.hadAnswer(missing) && this.#find(missing);
    if (past && 'at' in past) {
      if (due <= past.at) return 'now';
      this.#diverged([past.task.id]);
      return 'diverged';
    }
    const { tasks } = this.#live.state;
    // Before that, an answer that is new waits for the calls of then, and they may wait for this.
    if (isOver && tasks.some((one) => this.#awaited.has(one.task.id) && hasEnded(one)))
      return 'answer';
    const ms = due - this.#live.clock.now();
    return ms > 0 ? ms : 'now';
  }

  #find(id: TaskId): TaskState | undefined {
    return this.#live.state.tasks.find(({ task }) => task.id === id);
  }

  /** It asked for something then that it does not ask for now: what it would do next is a guess. */
  #diverged(ids: readonly TaskId[]): ScriptEnd {
    const calls = ids.map((id) => {
      const task = this.#find(id)?.task;
      return `${task?.tool ?? id} ${JSON.stringify(task?.args ?? {}).slice(0, 200)}`;
    });
    const message = `The script did not do the same again as before the process ended: it made no call ${calls.join(', ')}. Nothing was called twice; look at the run and start the rest anew`;
    const end: ScriptEnd = { status: 'failed', error: { code: 'REPLAY_DIVERGED', message } };
    this.#ended = { end, logs: this.#logs, operations: [] };
    this.#stop.abort();
    return end;
  }

  /** An answer that cannot be given would be waited for without end. */
  #giveUp(error: unknown): void {
    const message = `PML could not give the script an answer it had before: ${messageOf(error)}`;
    const end: ScriptEnd = { status: 'failed', error: { code: 'CODE_STOPPED', message } };
    this.#ended = { end, logs: this.#logs, operations: [] };
    this.#stop.abort();
  }

  #log(line: SandboxLine): void {
    if (this.#logs.length < MOST_LINES * this.#share) this.#logs.push(line);
  }

  #operated(operations: readonly SandboxOperation[]): void {
    const room = MOST_OPERATIONS * this.#share - this.#operations.length;
    this.#operations.push(...operations.slice(0, room));
  }

  #endOf(end: SandboxEnd, ready: ReadyCode): ScriptEnd | undefined {
    switch (end.status) {
      case 'returned':
        return { status: 'returned', value: end.value };
      case 'threw':
        return { status: 'failed', error: located(end.error, ready) };
      case 'stopped':
        return { status: 'failed', error: { code: 'CODE_STOPPED', message: end.message } };
      case 'aborted':
        return undefined;
    }
  }

  #outcome(end: ScriptEnd, ready: ReadyCode): ScriptOutcome {
    const left = end.status === 'returned' ? this.#replay.leftOver : [];
    return {
      end: left.length > 0 ? this.#diverged(left) : end,
      logs: this.#logs,
      operations: this.#operations.map((one) => traced(one, ready, this.#made)),
    };
  }
}

/** When the script began: its run, or the task that runs it, for the first time. */
function startOf({ state, events }: LiveRun, parent: TaskId | undefined): number {
  const first = events.find((event) => event.type === 'task-started' && event.task === parent);
  return first?.type === 'task-started' ? first.at : state.startedAt;
}

function hasEnded({ status }: TaskState): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'skipped';
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function toolOf(kind: SandboxCall['kind'], name: string): ToolId {
  if (kind === 'tool') return name as ToolId;
  return (kind === 'capability' ? `cap:${name}` : LOAD_TOOL) as ToolId;
}

/** The built-in tool behind `load(handle)`. */
export const LOAD_TOOL = 'pml:load_result';

function argsOf(kind: SandboxCall['kind'], name: string, args: JsonValue): JsonObject | undefined {
  if (kind === 'load') return { handle: name };
  if (args === null) return {};
  return isJsonObject(args) ? args : undefined;
}

/** Tasks of a plan may have any names. */
function freshId({ tasks }: RunState): TaskId {
  const known = new Set(tasks.map(({ task }) => task.id));
  let number = tasks.length + 1;
  while (known.has(taskId(`c${number}`))) number++;
  return taskId(`c${number}`);
}

function givenUp(tool: ToolId): TaskError {
  return { code: 'CALL_CANCELLED', message: `${tool} was not called: its script was given up` };
}

function badArgs(tool: ToolId): TaskError {
  return { code: 'ARGUMENTS_INVALID', message: `${tool} takes one object with its arguments` };
}

function toolError({ code, message }: TaskError) {
  return { name: 'ToolError', message, code };
}

function errorOf(error: unknown): TaskError {
  const code = error instanceof PmlError ? error.code : 'CODE_INVALID';
  return { code, message: messageOf(error) };
}

/** With the agent's own line, which says more than any words. */
function located(
  { name, message, code, line, column }: Extract<SandboxEnd, { status: 'threw' }>['error'],
  { locate }: ReadyCode,
): TaskError {
  const head = `${name}${code ? ` [${code}]` : ''}: ${message}`;
  if (line === undefined) return { code: 'CODE_FAILED', message: head };
  const place = locate(line, column ?? 1);
  return {
    code: 'CODE_FAILED',
    message: `${head}\n  at line ${place.line}, column ${place.column}: ${place.text.trim()}`,
  };
}

function traced(
  { site, afterCall: calls, ...counts }: SandboxOperation,
  ready: ReadyCode,
  made: readonly number[],
): TracedOperation {
  const { operation = 'code:unknown', line = 0 } = ready.operations[site] ?? {};
  const afterCall = made.filter((call) => call <= calls).length;
  return { operation: operation as ToolId, line, ...counts, afterCall };
}
