import { type ChildProcess, spawn } from 'node:child_process';

import { type Logger, PmlError } from '../core/index.js';
import { GuestProcess } from './process.js';
import type { SandboxLaunch } from './protections.js';

export interface PoolSizes {
  /** Scripts that compute at the same time; those that wait for calls do not count. */
  readonly processes: number;
  /** The maximum number of processes; each depth of nested scripts adds one. */
  readonly mostProcesses: number;
  /** Idle processes kept for the next script. */
  readonly warm: number;
  /** How long an additional idle process waits for a script before it ends. */
  readonly idleMs: number;
}

/** A start uses a processor for a while: more starts at once only slow each other down. */
const STARTS_AT_ONCE = 2;
/** A wait shorter than this is not worth another process. */
const LEAVES_PLACE_AFTER_MS = 30;

interface Waiter {
  /** How many scripts wait for this one. */
  readonly depth: number;
  readonly resolve: (guest: GuestProcess) => void;
  readonly reject: (error: PmlError) => void;
}

/**
 * Processes for scripts, one script in each. The pool serves callers in order of arrival. A process
 * returns to the pool when it is ready again; a killed one is replaced when it is needed.
 *
 * Scripts wait for nested scripts and keep their processes meanwhile. Counting prevents a deadlock:
 * each depth and all above it together have one more process than those above alone, so at the
 * deepest depth with a waiting caller, one script can always end.
 */
export class Pool {
  readonly #launch: SandboxLaunch;
  readonly #sizes: PoolSizes;
  readonly #log: Logger;
  readonly #all = new Set<GuestProcess>();
  readonly #starting = new Set<GuestProcess>();
  /** Their scripts have ended; they prepare for the next one. */
  readonly #returning = new Set<GuestProcess>();
  readonly #waiting = new Set<GuestProcess>();
  readonly #waitTimers = new Map<GuestProcess, NodeJS.Timeout>();
  readonly #idle: { readonly guest: GuestProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #line: Waiter[] = [];
  /** Processes with a script, and its depth. */
  readonly #taken = new Map<GuestProcess, number>();
  #isClosed = false;

  constructor(launch: SandboxLaunch, sizes: PoolSizes, log: Logger) {
    this.#launch = launch;
    this.#sizes = sizes;
    this.#log = log;
  }

  get size(): number {
    return this.#all.size;
  }

  get lineLength(): number {
    return this.#line.length;
  }

  /** A ready process, when it is this caller's turn. */
  async acquire(signal: AbortSignal, depth = 0): Promise<GuestProcess> {
    if (this.#isClosed) throw closed();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { depth, resolve: settle(resolve), reject: settle(reject) };
      const onAbort = () => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        waiter.reject(new PmlError('CALL_CANCELLED', 'the script was aborted in line'));
      };
      function settle<T>(then: (value: T) => void): (value: T) => void {
        return (value) => (signal.removeEventListener('abort', onAbort), then(value));
      }
      signal.addEventListener('abort', onAbort, { once: true });
      this.#line.push(waiter);
      this.#serve();
    });
  }

  /** A script that waits for some time frees its slot for others, but keeps its process. */
  setWaiting(guest: GuestProcess, isWaiting: boolean): void {
    clearTimeout(this.#waitTimers.get(guest));
    this.#waitTimers.delete(guest);
    this.#waiting.delete(guest);
    if (!isWaiting) return;
    const leave = () => {
      this.#waiting.add(guest);
      this.#grow();
    };
    this.#waitTimers.set(guest, setTimeout(leave, LEAVES_PLACE_AFTER_MS));
  }

  /** The caller did not need the process after all. */
  putBack(guest: GuestProcess): void {
    if (!guest.isGone) this.#ready(guest);
  }

  /** Its script has ended. If the process was killed as well, its exit is noticed soon. */
  release(guest: GuestProcess): void {
    this.setWaiting(guest, false);
    this.#taken.delete(guest);
    if (this.#all.has(guest)) this.#returning.add(guest);
    this.#serve();
  }

  /** Resolves when there is a process for the next script. */
  async warmUp(): Promise<void> {
    if (this.#idle.length > 0) return;
    this.putBack(await this.acquire(new AbortController().signal));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    for (const { reject } of this.#line.splice(0)) reject(closed());
    await Promise.all([...this.#all].map((guest) => guest.end()));
  }

  /** Gives ready processes to waiting callers and starts those that are still missing. */
  #serve(): void {
    for (const waiter of this.#eligible()) {
      const found = this.#idle.pop();
      if (found === undefined) break;
      clearTimeout(found.timer);
      found.guest.setNeeded(true);
      this.#give(found.guest, waiter);
    }
    this.#grow();
  }

  #give(guest: GuestProcess, waiter: Waiter): void {
    this.#line.splice(this.#line.indexOf(waiter), 1);
    this.#taken.set(guest, waiter.depth);
    waiter.resolve(guest);
  }

  /** The waiting callers that may have a process now, if all before them get one too. */
  #eligible(): readonly Waiter[] {
    const depths = [...this.#taken.values()];
    return this.#line.filter(({ depth }) => {
      const deepest = Math.max(depth, ...depths);
      for (let level = depth; level <= deepest; level++) {
        const taken = depths.filter((one) => one <= level).length;
        if (taken >= this.#sizes.mostProcesses + level) return false;
      }
      depths.push(depth);
      return true;
    });
  }

  #grow(): void {
    const mayStart = () => !this.#isClosed && this.#starting.size < STARTS_AT_ONCE;
    const hasRoom = () => this.#all.size - this.#waiting.size < this.#sizes.processes;
    const wanted = this.#eligible().length;
    const isShort = () => this.#starting.size + this.#returning.size < wanted;
    while (mayStart() && isShort() && hasRoom()) this.#start();
  }

  #start(): void {
    const { command, args } = this.#launch;
    const child: ChildProcess = spawn(command, [...args], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const guest: GuestProcess = new GuestProcess(
      child,
      (one) => this.#ready(one),
      (one, why) => this.#gone(one, why),
    );
    this.#all.add(guest);
    this.#starting.add(guest);
  }

  #ready(guest: GuestProcess): void {
    this.#starting.delete(guest);
    this.#returning.delete(guest);
    this.#taken.delete(guest);
    const [next] = this.#eligible();
    if (next !== undefined) {
      this.#give(guest, next);
      this.#grow();
      return;
    }
    guest.setNeeded(false);
    const timer = setTimeout(() => this.#retire(guest), this.#sizes.idleMs);
    timer.unref();
    this.#idle.push({ guest, timer });
  }

  #retire(guest: GuestProcess): void {
    if (this.#idle.length <= this.#sizes.warm) return;
    this.#removeIdle(guest);
    // `#gone` handles its exit.
    void guest.end().finally(() => guest.setNeeded(false));
  }

  #removeIdle(guest: GuestProcess): void {
    const at = this.#idle.findIndex((one) => one.guest === guest);
    if (at === -1) return;
    clearTimeout(this.#idle[at]?.timer);
    this.#idle.splice(at, 1);
  }

  #refuseNext(error: PmlError): void {
    const [next] = this.#eligible();
    if (next === undefined) return;
    this.#line.splice(this.#line.indexOf(next), 1);
    next.reject(error);
  }

  #gone(guest: GuestProcess, why: string): void {
    const neverStarted = this.#starting.delete(guest);
    this.#all.delete(guest);
    this.setWaiting(guest, false);
    this.#returning.delete(guest);
    this.#taken.delete(guest);
    this.#removeIdle(guest);
    const { errorText } = guest;
    this.#log.debug('sandbox process ended', { why, ...(errorText ? { errorText } : {}) });
    // The caller it was started for gets the error: endless retries would not help.
    if (neverStarted) this.#refuseNext(notStarted(why, errorText));
    this.#serve();
  }
}

function closed(): PmlError {
  return new PmlError('SANDBOX_FAILED', 'The sandbox is closed');
}

function notStarted(why: string, errorText: string): PmlError {
  const words = `A sandbox process could not be started: ${why}`;
  return new PmlError('SANDBOX_FAILED', words, { details: { errorText } });
}
