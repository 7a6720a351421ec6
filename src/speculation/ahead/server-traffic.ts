import type { ServerName } from '../../core/index.js';

/**
 * So long a call that ended without an answer, cancelled or timed out, may still change something:
 * its server may go on with it.
 */
const DOUBT_MS = 600_000;

interface Traffic {
  /** Grows with everything after which results from before may be wrong. */
  epoch: number;
  /** Calls of clients that have begun and not ended. */
  running: number;
  doubtfulUntil: number;
}

/**
 * What clients do on each server, as far as it decides about results fetched ahead. Every call of a
 * client counts, also one that promises to read: a tool that lies must not make a result wrong. A call
 * that may write counts for all servers: two of them may look at the same files.
 */
export class ServerTraffic {
  readonly #now: () => number;
  readonly #servers = new Map<ServerName, Traffic>();
  /** Calls of clients that may write: all there ever were, and those under way. */
  #writes = 0;
  #writing = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  began(server: ServerName, { mayWrite }: { readonly mayWrite: boolean }): void {
    const traffic = this.#of(server);
    if (mayWrite) {
      this.#writes++;
      this.#writing++;
    }
    traffic.epoch++;
    traffic.running++;
  }

  /** `isSure` when the server answered, or the call can have changed nothing. */
  ended(
    server: ServerName,
    { isSure, mayWrite }: { readonly isSure: boolean; readonly mayWrite: boolean },
  ): void {
    const traffic = this.#of(server);
    if (mayWrite) this.#writing--;
    traffic.running--;
    if (!isSure) traffic.doubtfulUntil = this.#now() + DOUBT_MS;
  }

  /** The server said that something changed. */
  changed(server: ServerName): void {
    this.#of(server).epoch++;
  }

  epochOf(server: ServerName): number {
    return this.#of(server).epoch + this.#writes;
  }

  /** Whether no call of a client is under way on the server, or may still be, and none writes. */
  isQuiet(server: ServerName): boolean {
    const { running, doubtfulUntil } = this.#of(server);
    return this.#writing === 0 && running === 0 && this.#now() >= doubtfulUntil;
  }

  #of(server: ServerName): Traffic {
    const known = this.#servers.get(server);
    if (known) return known;
    const traffic = { epoch: 0, running: 0, doubtfulUntil: -Infinity };
    this.#servers.set(server, traffic);
    return traffic;
  }
}
