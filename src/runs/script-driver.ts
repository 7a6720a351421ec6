import type {
  RunScript,
  SandboxCall,
  SandboxLine,
  SandboxReply,
  ScriptEnd,
  Task,
  TaskError,
  TaskId,
  TracedOperation,
} from '../core/index.js';
import type { LiveRun } from '../executor/index.js';
import { OldAnswers } from './old-answers.js';
import { Replay } from './replay.js';
import { badArgs, freshId, givenUp, readCall, refusal, replyOf } from './script-call.js';
import { divergedEnd, endOf, unansweredEnd, unreadyEnd } from './script-end.js';
import { ScriptNotes } from './script-notes.js';
import type { ReadyCode, ScriptPorts } from './script-ports.js';
import { ScriptWaits } from './script-waits.js';

/** Where the script of a task is executed. */
export interface NestedPlace {
  readonly task: TaskId;
  /** How many scripts wait for it. */
  readonly depth: number;
  /** Aborted when nothing waits for its result any more. */
  readonly signal: AbortSignal;
}

/** How a script ended, and what it left. */
export interface ScriptOutcome {
  readonly end: ScriptEnd;
  readonly logs: readonly SandboxLine[];
  readonly operations: readonly TracedOperation[];
}

/**
 * Executes the script of a run in a sandbox and turns its calls into tasks of that run. After a
 * crash or a long pause, PML replays the script: it gets its recorded results and then continues.
 */
export class ScriptDriver {
  readonly #live: LiveRun;
  readonly #ports: ScriptPorts;
  readonly #parent: TaskId | undefined;
  readonly #depth: number;
  readonly #startedAt: number;
  readonly #replay: Replay;
  readonly #oldAnswers: OldAnswers;
  readonly #waits: ScriptWaits;
  readonly #notes: ScriptNotes;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  /** Why PML ended the script. */
  #ended: ScriptEnd | undefined;
  #isAsleep = false;

  /** Without `nested` it is the script of the run itself. */
  constructor(live: LiveRun, ports: ScriptPorts, nested?: NestedPlace) {
    const parent = nested?.task;
    const startedAt = startOf(live, parent);
    this.#live = live;
    this.#ports = ports;
    this.#parent = parent;
    this.#depth = nested?.depth ?? 0;
    this.#startedAt = startedAt;
    const given = nested ? [nested.signal] : [];
    this.#signal = AbortSignal.any([live.scriptSignal, this.#stop.signal, ...given]);
    this.#notes = new ScriptNotes({ isNested: nested !== undefined });
    this.#replay = new Replay(live.state, live.events, parent);
    this.#oldAnswers = new OldAnswers(this.#replay, {
      answer: (id) => this.#answer(id),
      onFailed: (error) => void this.#end(unansweredEnd(error)),
    });
    this.#waits = new ScriptWaits(live, this.#replay, {
      parent,
      startedAt,
      diverged: (call) => void this.#diverged([call]),
    });
  }

  /** How the script ended; undefined if it was evicted or abandoned. */
  async run(script: RunScript, prepared?: ReadyCode): Promise<ScriptOutcome | undefined> {
    let ready: ReadyCode;
    try {
      ready = prepared ?? this.#ports.prepare(script.code);
    } catch (error) {
      return { end: unreadyEnd(error), logs: [], operations: [] };
    }
    const { code: _code, timeoutMs: _ms, ...given } = script;
    const end = await this.#ports.sandbox.run(
      { source: ready.source, ...given, now: this.#startedAt },
      {
        call: (call) => this.#call(call),
        log: (line) => this.#notes.log(line),
        operated: (operations) => this.#notes.operated(operations),
        waiting: () => this.#waits.waiting(),
        waitUntil: (due, timer) => this.#waits.waitUntil(due, timer),
      },
      { limits: this.#ports.limits(script), signal: this.#signal, depth: this.#depth },
    );
    if (this.#isAsleep) return undefined;
    const ended = this.#ended ?? endOf(end, ready);
    return ended && this.#outcome(ended, ready);
  }

  /** When the timer that the script waits for is due. */
  get due(): number | undefined {
    return this.#waits.due;
  }

  /** Frees what the script holds; the script is replayed when it is needed. */
  sleep(): void {
    this.#isAsleep = true;
    this.#stop.abort();
  }

  async #call(call: SandboxCall): Promise<SandboxReply> {
    const { tool, args } = readCall(call);
    const known = args && this.#replay.claim({ tool, args });
    if (known !== undefined) {
      this.#notes.called(call.id);
      return this.#repeated(known);
    }
    const { isReadOnly = false, profile, owner } = this.#live.state;
    const refused = await this.#waits.look(() =>
      args ? this.#ports.refuse({ tool, args }, { isReadOnly, profile, owner }) : badArgs(tool),
    );
    if (refused || !args) return this.#refusal(refused ?? badArgs(tool));
    // The script makes new calls only after its replay is complete.
    if (!this.#replay.isOver) {
      this.#waits.reconsider();
      await this.#oldAnswers.allGiven();
    }
    // PML abandoned the script while it checked the call: nothing waits for the result.
    if (this.#signal.aborted) return this.#refusal(givenUp(tool));
    this.#notes.called(call.id);
    const id = freshId(this.#live.state);
    const parent = this.#parent;
    const task: Task = { id, tool, args, needs: [], ...(parent && { parent }) };
    this.#live.call(this.#ports.fill(task));
    const answer = this.#answer(id);
    this.#waits.reconsider();
    return answer;
  }

  /** A recorded call: its result keeps its place among the others, or the call waits for one. */
  async #repeated(id: TaskId): Promise<SandboxReply> {
    if (this.#replay.hadAnswer(id)) return this.#oldAnswers.give(id);
    this.#oldAnswers.letGo();
    return this.#answer(id, () => this.#oldAnswers.caughtUp());
  }

  async #answer(id: TaskId, turn?: () => Promise<void>): Promise<SandboxReply> {
    this.#waits.expectAnswer(id);
    const task = await this.#live.ended(id);
    await turn?.();
    this.#waits.answered(id);
    this.#waits.goOn('at' in task ? task.at : this.#waits.now);
    return replyOf(task, this.#waits.now);
  }

  #refusal(error: TaskError): SandboxReply {
    this.#waits.wake();
    return refusal(error, this.#waits.now);
  }

  #diverged(ids: readonly TaskId[]): ScriptEnd {
    const { tasks } = this.#live.state;
    const calls = ids.map((id) => {
      const task = tasks.find((one) => one.task.id === id)?.task;
      return `${task?.tool ?? id} ${JSON.stringify(task?.args ?? {}).slice(0, 200)}`;
    });
    return this.#end(divergedEnd(calls));
  }

  #end(end: ScriptEnd): ScriptEnd {
    this.#ended = end;
    this.#stop.abort();
    return end;
  }

  #outcome(end: ScriptEnd, ready: ReadyCode): ScriptOutcome {
    const left = end.status === 'returned' ? this.#replay.leftOver : [];
    return {
      end: left.length > 0 ? this.#diverged(left) : end,
      logs: this.#notes.lines,
      operations: this.#notes.traced(ready),
    };
  }
}

/** When the script began for the first time: its run, or the task that runs it. */
function startOf({ state, events }: LiveRun, parent: TaskId | undefined): number {
  const first = events.find((event) => event.type === 'task-started' && event.task === parent);
  return first?.type === 'task-started' ? first.at : state.startedAt;
}
