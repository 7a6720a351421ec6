import {
  isExchange,
  type JsonObject,
  PmlError,
  type ProtocolEra,
  type ServerSpec,
} from '../../core/index.js';
import type { RpcNotification } from '../../rpc/index.js';
import { Breaker } from '../breaker.js';
import type { Caller } from '../caller.js';
import { IdleStop } from '../idle-stop.js';
import type { KnownEras } from '../known-eras.js';
import { raceAbort } from '../race-abort.js';
import { disabled, keepsFailing, needsClient } from '../server-errors.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { CLIENT_CAPABILITIES, type ClientIdentity } from './envelope.js';
import { LiveConnection } from './live-connection.js';

/** PML does not wait longer for a greeting: the next server gets its turn to start. */
export const SLOW_START_MS = 3_000;

export interface ConnectionsSettings extends Omit<
  ConnectionOptions,
  'want' | 'probe' | 'client' | 'signal'
> {
  readonly clientInfo: JsonObject;
  /** What the clients of the server declare, for connections that they share. */
  readonly extensions: () => JsonObject | undefined;
  readonly idleStopMs: number;
  readonly now: () => number;
}

export interface ConnectionsPorts {
  readonly eras: KnownEras;
  readonly nameError: (error: unknown) => Error;
  /** Whether a client waits for notifications, which end with the connection. */
  readonly isWatched: () => boolean;
  readonly opened: (connection: Connection) => void;
  readonly notified: (live: LiveConnection, notification: RpcNotification) => void;
}

/** A connection that was opened before a call needed it. */
export interface StartedAhead {
  /** How long opening it took. */
  readonly ms: number;
  /** How much less the first request waited; undefined if the connection ends without one. */
  readonly sparedMs: Promise<number | undefined>;
}

/** The connections of one server: opened when needed, ended when idle, opened again after a crash. */
export class Connections {
  readonly #spec: ServerSpec;
  readonly #settings: ConnectionsSettings;
  readonly #ports: ConnectionsPorts;
  readonly #breaker: Breaker;
  readonly #idle: IdleStop;
  readonly #opening = new Map<string, Promise<LiveConnection>>();
  readonly #live = new Map<string, LiveConnection>();
  /** Ends pending starts when the server is closed. */
  readonly #starts = new AbortController();
  #closed: Error | undefined;
  /** When the oldest pending start began. */
  #startingSince: number | undefined;

  constructor(spec: ServerSpec, settings: ConnectionsSettings, ports: ConnectionsPorts) {
    this.#spec = spec;
    this.#settings = settings;
    this.#ports = ports;
    this.#breaker = new Breaker(settings.now);
    this.#idle = new IdleStop({
      idleStopMs: settings.idleStopMs,
      isStartedAhead: spec.start === 'background',
      isNeeded: ports.isWatched,
      stop: (live) => this.#stopIdle(live),
    });
  }

  get state(): 'stopped' | 'starting' | 'running' | 'failing' | 'needs_sign_in' {
    if (this.#settings.tokens?.needsSignIn) return 'needs_sign_in';
    if (this.#live.size > 0) return 'running';
    if (this.#opening.size > 0) return 'starting';
    return this.#breaker.lastError ? 'failing' : 'stopped';
  }

  /** Why the last start failed, or why a new connection died. */
  get lastError(): Error | undefined {
    return this.#breaker.lastError;
  }

  /** Milliseconds until the next start is allowed; 0 is now. */
  get retryInMs(): number {
    return this.#breaker.pauseMs;
  }

  /** Is starting, and has been for longer than a start should take. */
  get isSlow(): boolean {
    const since = this.#startingSince;
    return since !== undefined && this.#settings.now() - since >= SLOW_START_MS;
  }

  get all(): readonly LiveConnection[] {
    return [...this.#live.values()];
  }

  /** All that are past their handshake. */
  get open(): readonly Connection[] {
    return this.all.flatMap(({ connection }) => connection ?? []);
  }

  /** The one a request of this caller goes over, if it runs already. */
  running(caller: Caller): LiveConnection | undefined {
    const { eras } = this.#ports;
    if (!eras.all) return undefined;
    const live = this.#live.get(this.#key(eras.choose(caller.era), caller));
    if (!live) return undefined;
    this.#idle.disarm(live);
    live.wantedAt ??= this.#settings.now();
    return live;
  }

  async connect(caller: Caller, signal: AbortSignal | undefined): Promise<LiveConnection> {
    const wantedAt = this.#settings.now();
    const live = await raceAbort(this.#open(caller), signal);
    live.wantedAt ??= wantedAt;
    return live;
  }

  /** Whether the connection that this caller needs runs or is being opened. */
  isOpenFor(caller: Caller): boolean {
    const { eras } = this.#ports;
    const key = this.#key(eras.all ? eras.choose(caller.era) : 'legacy', caller);
    return this.#live.has(key) || this.#opening.has(key);
  }

  /** Resolves when no connection is being opened any more; undefined when none is now. */
  get pending(): Promise<unknown> | undefined {
    return this.#opening.size > 0 ? Promise.allSettled(this.#opening.values()) : undefined;
  }

  /** Opens the connection that a call of this caller would need, before there is one. */
  async startAhead(caller: Caller): Promise<StartedAhead> {
    const began = this.#settings.now();
    const live = await this.#open(caller);
    const ms = this.#settings.now() - began;
    const sparedMs = live.fate.then((fate) =>
      fate === 'called' ? Math.min(ms, (live.wantedAt ?? began) - began) : undefined,
    );
    return { ms, sparedMs };
  }

  async #open(caller: Caller): Promise<LiveConnection> {
    const { eras } = this.#ports;
    // Until PML knows what the server speaks, it opens the connection that every server accepts.
    if (!eras.all) await this.start('legacy', caller);
    return this.start(eras.choose(caller.era), caller);
  }

  /** Callers that want the same connection at the same time share one start. */
  start(era: ProtocolEra, caller: Caller | undefined): Promise<LiveConnection> {
    const key = this.#key(era, caller);
    const running = this.#live.get(key);
    if (running) return Promise.resolve(running);
    const alreadyOpening = this.#opening.get(key);
    if (alreadyOpening) return alreadyOpening;
    this.#startingSince ??= this.#settings.now();
    const opening = this.#start(key, era, caller).finally(() => {
      this.#opening.delete(key);
      if (this.#opening.size === 0) this.#startingSince = undefined;
    });
    this.#opening.set(key, opening);
    return opening;
  }

  /** A call over it ended: from its last call on, the connection is idle. */
  callEnded(live: LiveConnection): void {
    this.#idle.arm(live);
  }

  /** The next call opens a new connection. */
  forget(live: LiveConnection): void {
    for (const [at, one] of this.#live) if (one === live) this.#live.delete(at);
  }

  /** Ends the instance that belongs to one client only. */
  async release(session: string): Promise<void> {
    const own = [...this.#live].filter(([key]) => key.endsWith(`|${session}`));
    const reason = disabled(this.#spec.name, 'its client has left');
    await Promise.all(own.map(([, live]) => this.#stop(live, reason)));
  }

  async close(reason: Error): Promise<void> {
    this.#closed ??= reason;
    this.#starts.abort(this.#closed);
    await Promise.allSettled(this.#opening.values());
    await Promise.all(this.all.map((live) => this.#stop(live, reason)));
  }

  #key(era: ProtocolEra, caller: Caller | undefined): string {
    if (this.#spec.isolation !== 'per-client' || !caller) return era;
    if (isExchange(caller.principal)) throw needsClient(this.#spec.name);
    return `${era}|${caller.session}`;
  }

  async #start(key: string, era: ProtocolEra, caller: Caller | undefined): Promise<LiveConnection> {
    const { eras, notified, nameError } = this.#ports;
    const live = new LiveConnection(this.#spec.name, caller);
    try {
      this.#assertMayStart();
      const connection = await Connection.open(
        this.#spec,
        {
          request: (request, signal) => live.answer(request, signal),
          notification: (notification) => notified(live, notification),
          closed: (reason) => this.#onClosed(key, live, reason),
        },
        {
          ...this.#settings,
          want: era,
          probe: era === 'legacy' && !eras.all,
          client: this.#identity(caller),
          signal: this.#starts.signal,
        },
      );
      live.connection = connection;
      if (this.#closed) {
        await connection.close(this.#closed);
        throw this.#closed;
      }
      this.#onOpen(key, live, connection);
      return live;
    } catch (error) {
      const named = nameError(error);
      if (!this.#closed && needsSignIn(named)) {
        this.#settings.log.info('not started: it needs a sign-in');
      } else if (!this.#closed && !isOpenBreaker(named)) {
        this.#breaker.failed(named);
        eras.forget();
        this.#settings.log.warn('could not be started', { error: named.message });
      }
      throw named;
    }
  }

  #assertMayStart(): void {
    if (this.#closed) throw this.#closed;
    const { pauseMs, lastError } = this.#breaker;
    if (pauseMs > 0) throw keepsFailing(this.#spec.name, { pauseMs, lastError });
  }

  #identity(caller: Caller | undefined): ClientIdentity {
    if (this.#spec.isolation === 'per-client' && caller) {
      return { info: caller.info, capabilities: caller.capabilities };
    }
    const extensions = this.#settings.extensions();
    const capabilities = extensions ? { ...CLIENT_CAPABILITIES, extensions } : CLIENT_CAPABILITIES;
    return { info: this.#settings.clientInfo, capabilities };
  }

  /**
   * Clients declare more than the shared connections were opened with. A server of the older revision
   * hears it at its next start: PML starts it again now, unless a call may have left something in it.
   * True if a connection has heard it, or none is left that has not.
   */
  async redeclare(): Promise<boolean> {
    if (this.#spec.isolation === 'per-client') return false;
    const all = this.all;
    const reason = disabled(this.#spec.name, 'its clients declare more than it was started with');
    await Promise.all(
      all.map(async (live) => {
        if (live.connection?.greeting.era === 'modern') {
          live.connection.declare(this.#identity(undefined));
        } else if (!live.hasBeenCalled) {
          await this.#stop(live, reason);
        }
      }),
    );
    return all.some((live) => live.connection?.greeting.era === 'modern' || !live.hasBeenCalled);
  }

  #onOpen(key: string, live: LiveConnection, connection: Connection): void {
    this.#breaker.succeeded();
    const { greeting, pid } = connection;
    this.#ports.eras.learn(greeting);
    this.#live.set(greeting.era === 'modern' ? key.replace(/^legacy/, 'modern') : key, live);
    this.#settings.log.info('started', { version: greeting.protocolVersion, pid });
    this.#idle.arm(live);
    this.#ports.opened(connection);
  }

  #onClosed(key: string, live: LiveConnection, reason: Error): void {
    this.#idle.disarm(live);
    this.forget(live);
    live.ended();
    if (this.#closed || !live.connection) return;
    if (reason instanceof PmlError && reason.code === 'SERVER_DISABLED') return;
    this.#settings.log.warn('connection ended', { reason: reason.message, key });
    if (!live.hasAnswered) this.#breaker.failed(reason);
  }

  #stopIdle(live: LiveConnection): void {
    this.#settings.log.info('stopped: idle');
    void this.#stop(live, disabled(this.#spec.name, 'nothing called it'));
  }

  async #stop(live: LiveConnection, reason: Error): Promise<void> {
    this.#idle.disarm(live);
    await live.connection?.close(reason);
  }
}

/** The server works; only a person is missing. */
function needsSignIn(error: Error): boolean {
  return error instanceof PmlError && error.code === 'SIGN_IN_NEEDED';
}

function isOpenBreaker(error: Error): boolean {
  return error instanceof PmlError && error.code === 'SERVER_BROKEN';
}
