import {
  messageOf,
  type Logger,
  resultFault,
  type RunEvent,
  type RunId,
  type RunLog,
  type ToolCaller,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import type { AdoptedRun, LiveRun } from '../executor/index.js';
import type { LoneCall } from './lone-call.js';

/** What a lone call came to: its result, or the run that it became. */
export type LoneOutcome =
  | { readonly kind: 'answered'; readonly run: RunId; readonly result: ToolResult }
  | { readonly kind: 'run'; readonly live: LiveRun };

export interface LoneCallOptions {
  /** Of the client that waits: what becomes of a call that its client gives up, a run decides. */
  readonly signal: AbortSignal;
  /** Before the call is made. */
  readonly onBegun: (run: RunId) => void;
  /** Whether it changes nothing and may be repeated: nothing is lost if it is forgotten. */
  readonly isRead: boolean;
}

export interface LonePorts {
  readonly now: () => number;
  readonly callerFor: (run: RunId) => ToolCaller;
  readonly checkResult: (tool: ToolId, result: ToolResult) => string | undefined;
  /** Makes a run of a call that needs more than an answer. */
  readonly adopt: (run: AdoptedRun, isDurable: boolean) => LiveRun;
  /** Learns from runs that are over, behind their answers. */
  readonly onEnded: (events: readonly RunEvent[]) => void;
  readonly logger: Logger;
}

interface OpenCall {
  readonly call: LoneCall;
  readonly isRead: boolean;
  readonly resolve: (outcome: LoneOutcome) => void;
}

/** A call that takes longer is a run, which reports, can be asked about, and can be ended. */
const PATIENCE_MS = 50;

/**
 * Calls that need nothing but to be made: nothing to plan, to ask or to wait for. Such a call is no
 * run unless it turns out to need one: when it takes long, fails, or somebody asks about it.
 *
 * That a call which may change something was sent is with the operating system before it leaves, and
 * its result before the answer. Neither waits for the disk: a killed daemon loses nothing, a power
 * cut the last moments. Of a call that only reads all is written behind its answer.
 */
export class LoneCalls {
  readonly #ports: LonePorts;
  readonly #open = new Map<RunId, OpenCall>();
  /** Runs that are over and of which the journal has nothing yet. */
  readonly #unwritten = new Map<RunId, readonly RunEvent[]>();
  /** Runs that nothing was learned from yet. */
  #ended: (readonly RunEvent[])[] = [];
  #log: RunLog | undefined;
  #working: Promise<void> | undefined;

  constructor(ports: LonePorts, log: Promise<RunLog>) {
    this.#ports = ports;
    log.then(
      (opened) => (this.#log = opened),
      () => {}, // Whoever begins a run hears of it.
    );
  }

  get size(): number {
    return this.#open.size;
  }

  get ids(): readonly RunId[] {
    return [...this.#open.keys()];
  }

  /** Makes the call. Nothing is done, and nothing given back, if its start cannot be recorded at once. */
  make(call: LoneCall, options: LoneCallOptions): Promise<LoneOutcome> | undefined {
    const log = this.#log;
    if (!log || (!options.isRead && !log.handOver(call.run, call.begun))) return undefined;
    options.onBegun(call.run);
    return this.#make(call, options, log);
  }

  /** Makes a run of a call that is under way. */
  promote(run: RunId): LiveRun | undefined {
    const open = this.#open.get(run);
    if (!open) return undefined;
    this.#open.delete(run);
    const live = this.#ports.adopt(open.call.handedOver(!open.isRead), !open.isRead);
    open.resolve({ kind: 'run', live });
    return live;
  }

  /** Resolves when the journal has everything of the runs that are over. */
  async written(run?: RunId): Promise<void> {
    if (run !== undefined && !this.#unwritten.has(run)) return;
    while (this.#working) await this.#working;
  }

  async #make(call: LoneCall, options: LoneCallOptions, log: RunLog): Promise<LoneOutcome> {
    const { run } = call;
    const { signal, isRead } = options;
    let resolve: (outcome: LoneOutcome) => void = () => {};
    const outcome = new Promise<LoneOutcome>((settle) => (resolve = settle));
    this.#open.set(run, { call, isRead, resolve });
    const promote = () => void this.promote(run);
    const timer = setTimeout(promote, PATIENCE_MS);
    signal.addEventListener('abort', promote, { once: true });
    call.make(this.#ports.callerFor(run)).then(async (result) => {
      if (!this.#open.has(run)) return;
      if (!this.#isGood(call, result)) return promote();
      this.#open.delete(run);
      await this.#end(call, result, { isRead, log });
      resolve({ kind: 'answered', run, result });
    }, promote);
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', promote);
    }
  }

  #isGood({ task }: LoneCall, result: ToolResult): boolean {
    if (resultFault(result) !== undefined || result.isError === true) return false;
    return this.#ports.checkResult(task.tool, result) === undefined;
  }

  async #end(
    call: LoneCall,
    result: ToolResult,
    { isRead, log }: { readonly isRead: boolean; readonly log: RunLog },
  ): Promise<void> {
    const { run, begun } = call;
    const ending = call.succeeded(result, Math.max(this.#ports.now(), begun[0].at));
    const events = [...begun, ...ending];
    if (isRead) this.#unwritten.set(run, events);
    else if (!log.handOver(run, ending)) await this.#append(log, run, ending);
    this.#ended.push(events);
    this.#working ??= this.#workBehind(log);
  }

  /** The call was made and is answered, whether or not the journal can have its end. */
  async #append(log: RunLog, run: RunId, events: readonly RunEvent[]): Promise<void> {
    try {
      await log.append(run, events);
    } catch (error) {
      this.#ports.logger.error('journal not written', { run, error: messageOf(error) });
    }
  }

  async #workBehind(log: RunLog): Promise<void> {
    while (this.#unwritten.size + this.#ended.length > 0) {
      // Answers go first.
      await new Promise((resolve) => setImmediate(resolve));
      for (const [run, events] of this.#unwritten) {
        if (!log.handOver(run, events)) await this.#append(log, run, events);
        this.#unwritten.delete(run);
      }
      for (const events of this.#ended.splice(0)) this.#ports.onEnded(events);
    }
    this.#working = undefined;
  }
}
