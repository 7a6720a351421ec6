import {
  messageOf,
  type Logger,
  resultFault,
  type RunAppend,
  type RunEvent,
  type Principal,
  type RunId,
  type RunLog,
  type ToolCaller,
  type ToolId,
  type ToolResult,
} from '../core/index.js';
import type { AdoptedRun, LiveRun } from '../executor/index.js';
import type { LoneCall } from './lone-call.js';
import { LullQueue } from './lull-queue.js';

/** The outcome of a lone call: its result, or the run that it became. */
export type LoneOutcome =
  | { readonly kind: 'answered'; readonly run: RunId; readonly result: ToolResult }
  | { readonly kind: 'run'; readonly live: LiveRun };

export interface LoneCallOptions {
  /** Of the waiting client: if it cancels, the call becomes a run, which decides what happens. */
  readonly signal: AbortSignal;
  /** Called before the call is made. */
  readonly onBegun: (run: RunId) => void;
  /** Whether a second call does no harm. */
  readonly repeatable: boolean;
  /** Whether it changes nothing and is repeatable: nothing is lost if it is forgotten. */
  readonly isRead: boolean;
}

export interface LonePorts {
  readonly now: () => number;
  readonly callerFor: (run: RunId, profile?: string, owner?: Principal) => ToolCaller;
  readonly checkResult: (tool: ToolId, result: ToolResult) => string | undefined;
  /** Makes a run of a call that needs more than a response. */
  readonly adopt: (run: AdoptedRun, isDurable: boolean) => LiveRun;
  /** Learns from finished runs, after their responses. */
  readonly onEnded: (events: readonly RunEvent[]) => void;
  readonly logger: Logger;
}

interface OpenCall {
  readonly call: LoneCall;
  readonly isRead: boolean;
  readonly resolve: (outcome: LoneOutcome) => void;
}

interface Handing {
  readonly append: RunAppend;
  readonly resolve: (isHanded: boolean) => void;
}

/** A longer call becomes a run, which reports, can be queried, and can be ended. */
const PATIENCE_MS = 50;

/**
 * Calls that need no plan, no approval and no waiting. Such a call becomes a run only if it takes
 * long, fails, or a client asks about it.
 *
 * If a call may change something, the operating system has its start before the call is sent, and
 * its result before the response. Neither waits for the disk: a killed daemon loses nothing, a
 * power cut loses the last moments. A call that only reads is journaled after its response.
 */
export class LoneCalls {
  readonly #ports: LonePorts;
  readonly #open = new Map<RunId, OpenCall>();
  /**
   * Finished runs that are not in the journal yet, and how long that takes once it has begun. In the
   * journal they look unfinished meanwhile, and PML must not resume them.
   */
  readonly #unwritten = new Map<RunId, Promise<void> | undefined>();
  /** Those of them whose journaling has not begun: all that end in one turn are handed over together. */
  #unhanded: RunAppend[] = [];
  /** Calls that may change something and wait until the operating system has their events. */
  #handing: Handing[] = [];
  /** Of those, the calls that have not been made. */
  #starting = 0;
  /** What PML learns from finished calls, in their order. */
  readonly #lessons = new LullQueue<() => void>((learn) => this.#learn(learn));
  #log: RunLog | undefined;

  constructor(ports: LonePorts, log: Promise<RunLog>) {
    this.#ports = ports;
    log.then(
      (opened) => (this.#log = opened),
      () => {}, // The client that begins a run gets the error.
    );
  }

  get size(): number {
    return this.#open.size;
  }

  get ids(): readonly RunId[] {
    return [...this.#open.keys()];
  }

  /** Makes the call. Sends nothing and returns undefined if the journal cannot take it at once. */
  async make(call: LoneCall, options: LoneCallOptions): Promise<LoneOutcome | undefined> {
    const log = this.#log;
    if (!log) return undefined;
    const { run, begun: events } = call;
    if (!options.isRead) {
      this.#starting++;
      const isHanded = await this.#handOver(log, { run, events });
      this.#starting--;
      if (!isHanded) return undefined;
    }
    options.onBegun(run);
    return this.#make(call, options, log);
  }

  /** Resolves when no call is about to be made: each is under way by then, or never will be. */
  async settled(): Promise<void> {
    while (this.#starting > 0) await Promise.resolve();
  }

  /** Makes a run of a pending call. */
  promote(run: RunId): LiveRun | undefined {
    const open = this.#open.get(run);
    if (!open) return undefined;
    this.#open.delete(run);
    const live = this.#ports.adopt(open.call.handedOver(!open.isRead), !open.isRead);
    open.resolve({ kind: 'run', live });
    return live;
  }

  /** Resolves when the journal has a finished run, or all of them. */
  async written(run?: RunId): Promise<void> {
    if (run !== undefined && !this.#unwritten.has(run)) return;
    this.#handAll();
    const writing = run === undefined ? this.#unwritten.values() : [this.#unwritten.get(run)];
    for (const one of writing) await one;
  }

  /** PML learns from all finished calls now. */
  learnEnded(): void {
    this.#lessons.flush();
  }

  /** Learns from a call that needs no run, after those that ended before it. */
  learnLater(learn: () => void): void {
    this.#lessons.add(learn);
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
    const { profile, owner } = call.begun[0];
    const caller = this.#ports.callerFor(run, profile, owner);
    call.make(caller, promote).then(async (result) => {
      if (!this.#open.has(run)) return;
      if (!this.#isGood(call, result)) return promote();
      this.#open.delete(run);
      await this.#end(call, result, { isRead, log });
      resolve({ kind: 'answered', run, result });
    }, promote);
    // The client may have cancelled while the start was handed over.
    if (signal.aborted) promote();
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
    if (isRead) this.#handSoon({ run, events });
    else {
      const journaled = this.#journal(log, { run, events: ending });
      this.#unwritten.set(run, journaled);
      await journaled;
      this.#unwritten.delete(run);
    }
    this.learnLater(() => this.#ports.onEnded(events));
  }

  async #journal(log: RunLog, ending: RunAppend): Promise<void> {
    if (!(await this.#handOver(log, ending))) await this.#append(log, ending);
  }

  /** Whether the operating system has the events. Calls that go on in the same turn share a write. */
  #handOver(log: RunLog, append: RunAppend): Promise<boolean> {
    return new Promise((resolve) => {
      const isFirst = this.#handing.push({ append, resolve }) === 1;
      // Behind the other calls of this turn, which are in the queue already.
      if (isFirst) queueMicrotask(() => this.#handTogether(log));
    });
  }

  #handTogether(log: RunLog): void {
    const group = this.#handing;
    this.#handing = [];
    const areHanded = tryHandOver(
      log,
      group.map(({ append }) => append),
    );
    for (const { append, resolve } of group) {
      resolve(areHanded || (group.length > 1 && tryHandOver(log, [append])));
    }
  }

  #handSoon(ended: RunAppend): void {
    this.#unwritten.set(ended.run, undefined);
    if (this.#unhanded.push(ended) === 1) setImmediate(() => this.#handAll());
  }

  /** Neither the client nor the disk waits for it; what the journal cannot take at once is appended. */
  #handAll(): void {
    const log = this.#log;
    if (!log || this.#unhanded.length === 0) return;
    const group = this.#unhanded;
    this.#unhanded = [];
    const areHanded = tryHandOver(log, group);
    for (const ended of group) {
      const { run } = ended;
      if (areHanded || (group.length > 1 && tryHandOver(log, [ended]))) this.#unwritten.delete(run);
      else {
        const writing = this.#append(log, ended).finally(() => this.#unwritten.delete(run));
        this.#unwritten.set(run, writing);
      }
    }
  }

  /** The call is made and answered, even if its end cannot be journaled. */
  async #append(log: RunLog, { run, events }: RunAppend): Promise<void> {
    try {
      await log.append(run, events);
    } catch (error) {
      this.#ports.logger.error('journal not written', { run, error: messageOf(error) });
    }
  }

  #learn(learn: () => void): void {
    try {
      learn();
    } catch (error) {
      this.#ports.logger.error('nothing learned from a call', { error: messageOf(error) });
    }
  }
}

function tryHandOver(log: RunLog, appends: readonly RunAppend[]): boolean {
  try {
    return log.handOver(appends);
  } catch {
    return false; // Appending fails the same way, and says why.
  }
}
