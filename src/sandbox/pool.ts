import { type ChildProcess, spawn } from 'node:child_process';

import { type Logger, PmlError } from '../core/index.js';
import { GuestProcess } from './process.js';
import type { Launch } from './protections.js';

export interface PoolSizes {
  /** Scripts that compute at the same time; those that wait for calls do not count. */
  readonly processes: number;
  /** Processes there may be at all. */
  readonly mostProcesses: number;
  /** Kept for the next script. */
  readonly warm: number;
  /** How long one more than that waits for a script before it ends. */
  readonly idleMs: number;
}

/** Starting costs a processor for a while: more at once only keep each other from it. */
const STARTS_AT_ONCE = 2;
/** An answer that comes sooner is not worth a process. */
const LEAVES_PLACE_AFTER_MS = 30;

interface Waiter {
  readonly resolve: (guest: GuestProcess) => void;
  readonly reject: (error: PmlError) => void;
}

/**
 * Processes for scripts, one script in each. Whoever came first is served first. A process comes
 * back by being ready again; one that was killed is replaced when it is needed.
 */
export class Pool {
  readonly #launch: Launch;
  readonly #sizes: PoolSizes;
  readonly #log: Logger;
  readonly #all = new Set<GuestProcess>();
  readonly #starting = new Set<GuestProcess>();
  /** Their scripts have ended; they make themselves ready for the next. */
  readonly #returning = new Set<GuestProcess>();
  readonly #waiting = new Set<GuestProcess>();
  readonly #waitTimers = new Map<GuestProcess, NodeJS.Timeout>();
  readonly #idle: { readonly guest: GuestProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #line: Waiter[] = [];
  #isClosed = false;

  constructor(launch: Launch, sizes: PoolSizes, log: Logger) {
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

  /** A process that is ready, when it is this caller's turn. */
  async acquire(signal: AbortSignal): Promise<GuestProcess> {
    if (this.#isClosed) throw closed();
    const free = this.#takeIdle();
    if (free !== undefined) return free;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve: settle(resolve), reject: settle(reject) };
      const onAbort = () => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        waiter.reject(new PmlError('CALL_CANCELLED', 'the script was aborted in line'));
      };
      function settle<T>(then: (value: T) => void): (value: T) => void {
        return (value) => (signal.removeEventListener('abort', onAbort), then(value));
      }
      signal.addEventListener('abort', onAbort, { once: true });
      this.#line.push(waiter);
      this.#grow();
    });
  }

  /** A script that waits for some time leaves its place to others, though it keeps its process. */
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

  /** It was not needed after all. */
  putBack(guest: GuestProcess): void {
    if (!guest.isGone) this.#ready(guest);
  }

  /** Its script has ended. If it was killed with it, its end is seen soon. */
  release(guest: GuestProcess): void {
    this.setWaiting(guest, false);
    if (this.#all.has(guest)) this.#returning.add(guest);
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

  #takeIdle(): GuestProcess | undefined {
    const found = this.#idle.pop();
    if (found === undefined) return undefined;
    clearTimeout(found.timer);
    found.guest.setNeeded(true);
    return found.guest;
  }

  /** Starts what those in line need, as far as there is room. */
  #grow(): void {
    const { processes, mostProcesses } = this.#sizes;
    const mayStart = () => !this.#isClosed && this.#starting.size < STARTS_AT_ONCE;
    const isShort = () => this.#starting.size + this.#returning.size < this.#line.length;
    const hasRoom = () =>
      this.#all.size < mostProcesses && this.#all.size - this.#waiting.size < processes;
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
    const next = this.#line.shift();
    if (next !== undefined) {
      next.resolve(guest);
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
    // Its end is seen by `#gone`.
    void guest.end().finally(() => guest.setNeeded(false));
  }

  #removeIdle(guest: GuestProcess): void {
    const at = this.#idle.findIndex((one) => one.guest === guest);
    if (at === -1) return;
    clearTimeout(this.#idle[at]?.timer);
    this.#idle.splice(at, 1);
  }

  #gone(guest: GuestProcess, why: string): void {
    const neverStarted = this.#starting.delete(guest);
    this.#all.delete(guest);
    this.setWaiting(guest, false);
    this.#returning.delete(guest);
    this.#removeIdle(guest);
    const { errorText } = guest;
    this.#log.debug('sandbox process ended', { why, ...(errorText ? { errorText } : {}) });
    // The one it was started for hears it: trying again for ever would help nobody.
    if (neverStarted) this.#line.shift()?.reject(notStarted(why, errorText));
    this.#grow();
  }
}

function closed(): PmlError {
  return new PmlError('SANDBOX_FAILED', 'The sandbox is closed');
}

function notStarted(why: string, errorText: string): PmlError {
  const words = `A sandbox process could not be started: ${why}`;
  return new PmlError('SANDBOX_FAILED', words, { details: { errorText } });
}
