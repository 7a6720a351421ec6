import {
  canonicalJson,
  isExchange,
  isJsonObject,
  type JsonObject,
  type Logger,
  maskKnown,
  maskSecrets,
  messageOf,
  PmlError,
  type Progress,
  type ProtocolEra,
  type ServerName,
  type ServerSpec,
  specSecrets,
} from '../core/index.js';
import { maskRpcError, type RequestOptions, RpcError, type RpcNotification } from '../rpc/index.js';
import { Breaker } from './breaker.js';
import type { Caller } from './caller.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { CLIENT_CAPABILITIES, type ClientIdentity } from './envelope.js';
import type { Greeting } from './handshake.js';
import { isSessionGone } from './http-channel.js';
import { KnownEras } from './known-eras.js';
import { type RawListing, readListing } from './listing.js';
import { LiveConnection } from './live-connection.js';
import { Semaphore } from './semaphore.js';
import { isHeaderMismatch, ToolHeaders } from './tool-headers.js';
import { WatchedResources } from './watched-resources.js';

/** A server that only had to show its tools is ended after this time. */
const UNCALLED_IDLE_MS = 60_000;
/** A server that has not greeted by then is not waited for, and its turn to start goes to the next. */
export const SLOW_START_MS = 3_000;
const TRANSPORT_ERRORS: ReadonlySet<string> = new Set(['TOOL_TIMED_OUT', 'SERVER_PROTOCOL_ERROR']);
/** Change notifications come in bursts; one listing answers them all. */
const REFRESH_DELAY_MS = 150;
/** A server that says again and again that its tools changed is taken at its last list. */
const MOST_LISTINGS = 3;

/** Whom a notification can only be meant for, as far as that can be told. */
export interface NotifiedClient {
  /** The one client that has a call running. */
  readonly caller: Caller | undefined;
  /** Whether a session may see it: of an instance of its own only that session. */
  readonly isFor: (session: string) => boolean;
}

export interface ServerEvents {
  /** Resolves when the lists are known to whoever decides about calls. */
  listed(
    listing: RawListing,
    greeting: Greeting,
    eras: readonly ProtocolEra[],
  ): Promise<void> | void;
  /** A notification with no reader inside. */
  notified(method: string, params: JsonObject | undefined, to: NotifiedClient): void;
}

export interface ServerSettings extends Omit<
  ConnectionOptions,
  'want' | 'probe' | 'client' | 'signal'
> {
  readonly clientInfo: JsonObject;
  readonly callTimeoutMs: number;
  readonly idleStopMs: number;
  readonly maxConcurrency: number;
  readonly maxTools: number;
  readonly now: () => number;
  /** What earlier days taught about the protocol of this server. */
  readonly knownEras: () => readonly ProtocolEra[] | undefined;
}

export interface ServerRequestOptions {
  readonly caller: Caller;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** The request has left for the server. */
  readonly onSent?: () => void;
  /**
   * Called when the server runs and its fresh lists were handed on, right before the request leaves.
   * What it throws keeps the request from leaving. Without it nothing waits for lists.
   */
  readonly beforeSend?: () => void;
}

export interface ServerStatus {
  readonly state: 'stopped' | 'starting' | 'running' | 'failing';
  readonly pids: readonly number[];
  readonly runningCalls: number;
  readonly eras: readonly ProtocolEra[];
  readonly lastError: string | undefined;
  readonly retryInMs: number;
}

/** One configured server: started when needed, ended when idle, restarted when it died. */
export class ManagedServer {
  readonly spec: ServerSpec;
  readonly #settings: ServerSettings;
  readonly #events: ServerEvents;
  readonly #log: Logger;
  readonly #secrets: readonly string[];
  readonly #breaker: Breaker;
  readonly #places: Semaphore;
  readonly #opening = new Map<string, Promise<LiveConnection>>();
  readonly #live = new Map<string, LiveConnection>();
  /** Ends the starts that go on when we close. */
  readonly #starts = new AbortController();
  readonly #eras: KnownEras;
  readonly #watched: WatchedResources;
  readonly #headers = new ToolHeaders();
  #refreshTimer: NodeJS.Timeout | undefined;
  #listing: Promise<void> | undefined;
  #listError: Error | undefined;
  #logLevel: string | undefined;
  #closed: Error | undefined;
  /** When the oldest start that goes on began. */
  #startingSince: number | undefined;

  constructor(spec: ServerSpec, settings: ServerSettings, events: ServerEvents) {
    this.spec = spec;
    this.#settings = settings;
    this.#events = events;
    this.#log = settings.log;
    this.#secrets = specSecrets(spec);
    this.#breaker = new Breaker(settings.now);
    this.#places = new Semaphore(spec.maxConcurrency ?? settings.maxConcurrency);
    this.#eras = new KnownEras(settings.knownEras);
    this.#watched = new WatchedResources(settings.log);
  }

  get status(): ServerStatus {
    const live = [...this.#live.values()];
    return {
      state: this.#state(),
      pids: live.flatMap(({ connection }) => connection?.pid ?? []),
      runningCalls: live.reduce((sum, one) => sum + one.callCount, 0),
      eras: this.#eras.all ?? [],
      lastError: (this.#breaker.lastError ?? this.#listError)?.message,
      retryInMs: this.#breaker.pauseMs,
    };
  }

  /** Is starting, and has been for longer than a start should take. */
  get isSlow(): boolean {
    const since = this.#startingSince;
    return since !== undefined && this.#settings.now() - since >= SLOW_START_MS;
  }

  /** Runs, and its tools are known as it lists them now. */
  get isListed(): boolean {
    return [...this.#live.values()].some((live) => live.isListed);
  }

  /** The capabilities and texts the server greeted us with, when it is running. */
  get greeting(): Greeting | undefined {
    return [...this.#live.values()][0]?.connection?.greeting;
  }

  async request(
    method: string,
    params: JsonObject | undefined,
    options: ServerRequestOptions,
  ): Promise<JsonObject> {
    const turn = this.#places.enter(options.signal);
    if (turn) await turn;
    try {
      const result = await this.#requestOnce(method, params, options).catch((error: unknown) => {
        if (!isSessionGone(error)) throw error;
        return this.#requestOnce(method, params, options);
      });
      this.#watched.note(method, params);
      return result;
    } finally {
      this.#places.leave();
    }
  }

  /** Hides what this server is given, and what has the form of a secret. */
  mask(text: string): string {
    return maskSecrets(text, this.#secrets);
  }

  /** The era a request of this caller is spoken in. */
  eraFor(caller: Caller): ProtocolEra {
    return this.#eras.choose(caller.era);
  }

  /** Starts the server if it is not running, and reads its lists. */
  async refresh(): Promise<void> {
    const live =
      [...this.#live.values()][0] ?? (await this.#open(this.#eras.choose('legacy'), undefined));
    await this.#list(live);
  }

  /** Tells every running instance; instances that start later are told then. */
  setLogLevel(level: string): void {
    this.#logLevel = level;
    for (const { connection } of this.#live.values())
      if (connection) this.#sendLogLevel(connection);
  }

  /** No client watches the resource any more. */
  unwatch(uri: string): void {
    const running = [...this.#live.values()].flatMap(({ connection }) => connection ?? []);
    this.#watched.drop(uri, running);
  }

  notifyAll(method: string): void {
    for (const { connection } of this.#live.values()) {
      if (connection?.greeting.era === 'legacy') connection.notify(method);
    }
  }

  /** Ends the instance that belongs to one client only. */
  async release(session: string): Promise<void> {
    const own = [...this.#live].filter(([key]) => key.endsWith(`|${session}`));
    const reason = disabled(this.spec.name, 'its client has left');
    await Promise.all(own.map(([, live]) => this.#stop(live, reason)));
  }

  async close(reason: Error): Promise<void> {
    this.#closed ??= reason;
    this.#starts.abort(this.#closed);
    clearTimeout(this.#refreshTimer);
    await Promise.allSettled(this.#opening.values());
    await Promise.all([...this.#live.values()].map((live) => this.#stop(live, reason)));
    this.#settings.serverLog.close();
  }

  async #requestOnce(
    method: string,
    params: JsonObject | undefined,
    { caller, signal, timeoutMs, onProgress, onSent, beforeSend }: ServerRequestOptions,
  ): Promise<JsonObject> {
    const live = this.#running(caller) ?? (await this.#connect(caller, signal));
    if (beforeSend && !live.isListed) await raceAbort(this.#listFirst(live), signal);
    beforeSend?.();
    const call = live.enter(caller);
    try {
      const result = await this.#send(live, method, params, {
        timeoutMs: timeoutMs ?? this.spec.timeoutMs ?? this.#settings.callTimeoutMs,
        ...(signal && { signal }),
        ...(onProgress && { onProgress: (progress) => onProgress(this.#maskProgress(progress)) }),
        ...(onSent && { onSent }),
        beforeSend,
      });
      live.hasAnswered = true;
      return result;
    } catch (error) {
      if (error instanceof RpcError) live.hasAnswered = true;
      if (isSessionGone(error)) this.#forget(live);
      throw this.#named(error);
    } finally {
      live.leave(call);
      this.#armIdleStop(live);
    }
  }

  /** With the headers its list asks for; a server that wants others is asked for its list again. */
  async #send(
    live: LiveConnection,
    method: string,
    params: JsonObject | undefined,
    { beforeSend, ...options }: RequestOptions & { readonly beforeSend: (() => void) | undefined },
  ): Promise<JsonObject> {
    const connection = connectionOf(live);
    if (this.spec.kind !== 'http' || connection.greeting.era !== 'modern') {
      return connection.request(method, params, options);
    }
    const headers = this.#headers.of(method, params);
    const withHeaders = (own: typeof headers) => (own ? { ...options, headers: own } : options);
    try {
      return await connection.request(method, params, withHeaders(headers));
    } catch (error) {
      if (!isHeaderMismatch(error) || method !== 'tools/call') throw error;
      await this.#list(live);
      beforeSend?.();
      const wanted = this.#headers.of(method, params);
      // The server has refused the call unread, so that it may be made again.
      if (canonicalJson(wanted ?? {}) === canonicalJson(headers ?? {})) throw error;
      return connection.request(method, params, withHeaders(wanted));
    }
  }

  #maskProgress(progress: Progress): Progress {
    const { message } = progress;
    return typeof message === 'string' ? { ...progress, message: this.mask(message) } : progress;
  }

  #state(): ServerStatus['state'] {
    if (this.#live.size > 0) return 'running';
    if (this.#opening.size > 0) return 'starting';
    return this.#breaker.lastError ? 'failing' : 'stopped';
  }

  #running(caller: Caller): LiveConnection | undefined {
    if (!this.#eras.all) return undefined;
    const live = this.#live.get(this.#key(this.eraFor(caller), caller));
    if (live) clearTimeout(live.idleTimer);
    return live;
  }

  async #connect(caller: Caller, signal: AbortSignal | undefined): Promise<LiveConnection> {
    // Until we know what the server speaks, the first connection is the one every server accepts.
    if (!this.#eras.all) await raceAbort(this.#open('legacy', caller), signal);
    return raceAbort(this.#open(this.eraFor(caller), caller), signal);
  }

  #key(era: ProtocolEra, caller: Caller | undefined): string {
    if (this.spec.isolation !== 'per-client' || !caller) return era;
    if (isExchange(caller.principal)) throw needsClient(this.spec.name);
    return `${era}|${caller.session}`;
  }

  #open(era: ProtocolEra, caller: Caller | undefined): Promise<LiveConnection> {
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

  async #start(key: string, era: ProtocolEra, caller: Caller | undefined): Promise<LiveConnection> {
    const live = new LiveConnection(this.spec.name, caller);
    try {
      this.#assertMayStart();
      const connection = await Connection.open(
        this.spec,
        {
          request: (request, signal) => live.answer(request, signal),
          notification: (notification) => this.#onNotification(live, notification),
          closed: (reason) => this.#onClosed(key, live, reason),
        },
        {
          ...this.#settings,
          want: era,
          probe: era === 'legacy' && !this.#eras.all,
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
      const named = this.#named(error);
      if (!this.#closed && !isOpenBreaker(named)) {
        this.#breaker.failed(named);
        this.#eras.forget();
        this.#log.warn('could not be started', { error: named.message });
      }
      throw named;
    }
  }

  #onOpen(key: string, live: LiveConnection, connection: Connection): void {
    this.#breaker.succeeded();
    const { greeting } = connection;
    this.#eras.learn(greeting);
    this.#live.set(greeting.era === 'modern' ? key.replace(/^legacy/, 'modern') : key, live);
    this.#log.info('started', { version: greeting.protocolVersion, pid: connection.pid });
    this.#sendLogLevel(connection);
    this.#watched.tell(connection);
    if (greeting.era === 'modern') this.#listen(connection);
    this.#armIdleStop(live);
    this.#refreshSoon(0);
  }

  #assertMayStart(): void {
    if (this.#closed) throw this.#closed;
    const { pauseMs, lastError } = this.#breaker;
    if (pauseMs === 0) return;
    throw new PmlError(
      'SERVER_BROKEN',
      `Server ${this.spec.name} keeps failing and is tried again in ${Math.ceil(pauseMs / 1000)} s. Last error: ${lastError?.message ?? 'unknown'}`,
      { details: { server: this.spec.name, retryInMs: pauseMs } },
    );
  }

  #identity(caller: Caller | undefined): ClientIdentity {
    if (this.spec.isolation === 'per-client' && caller) {
      return { info: caller.info, capabilities: caller.capabilities };
    }
    return { info: this.#settings.clientInfo, capabilities: CLIENT_CAPABILITIES };
  }

  #onClosed(key: string, live: LiveConnection, reason: Error): void {
    clearTimeout(live.idleTimer);
    this.#forget(live);
    if (this.#closed || !live.connection) return;
    if (reason instanceof PmlError && reason.code === 'SERVER_DISABLED') return;
    this.#log.warn('connection ended', { reason: reason.message, key });
    if (!live.hasAnswered) this.#breaker.failed(reason);
  }

  /** The next call opens a new connection. */
  #forget(live: LiveConnection): void {
    for (const [at, one] of this.#live) if (one === live) this.#live.delete(at);
  }

  #onNotification(live: LiveConnection, { method, params }: RpcNotification): void {
    if (method === 'notifications/tools/list_changed') {
      live.isListed = false;
      live.toolChanges++;
    }
    if (method.endsWith('/list_changed')) return this.#refreshSoon(REFRESH_DELAY_MS);
    const isOwn = this.spec.isolation === 'per-client';
    this.#events.notified(method, isJsonObject(params) ? params : undefined, {
      caller: live.onlyCaller(),
      isFor: (session) => !isOwn || session === live.opener?.session,
    });
  }

  #refreshSoon(delayMs: number): void {
    if (this.#refreshTimer || this.#closed) return;
    this.#refreshTimer = setTimeout(() => {
      this.#refreshTimer = undefined;
      // One listing at a time: an older answer must not come after, and replace, a newer one.
      if (this.#listing) return void this.#listing.finally(() => this.#refreshSoon(delayMs));
      const [live] = this.#live.values();
      if (live?.connection) void this.#list(live).catch(() => {}); // Said in `#list`.
    }, delayMs);
  }

  /** One listing serves all calls that wait for it, and the refresh that is due anyway. */
  async #listFirst(live: LiveConnection): Promise<void> {
    while (this.#listing && !live.isListed) await this.#listing;
    for (let tries = 0; tries < MOST_LISTINGS && !live.isListed; tries++) {
      clearTimeout(this.#refreshTimer);
      this.#refreshTimer = undefined;
      await this.#list(live);
    }
  }

  async #list(live: LiveConnection): Promise<void> {
    while (this.#listing) await this.#listing;
    const work = this.#readLists(live);
    this.#listing = work.catch(() => {}).finally(() => (this.#listing = undefined));
    return work;
  }

  async #readLists(live: LiveConnection): Promise<void> {
    const connection = connectionOf(live);
    const { toolChanges } = live;
    try {
      const listing = await readListing(connection, {
        maxTools: this.#settings.maxTools,
        timeoutMs: this.#settings.startTimeoutMs,
        log: this.#log,
      });
      this.#listError = undefined;
      this.#headers.learn(listing.tools);
      await this.#events.listed(listing, connection.greeting, this.#eras.all ?? ['legacy']);
      live.isListed = live.toolChanges === toolChanges;
    } catch (error) {
      const named = this.#named(error);
      if (!connection.isClosed) {
        this.#listError = named;
        this.#log.warn('lists not read', { error: named.message });
      }
      throw named;
    }
  }

  /** The modern revision reports changes only to those who listen. */
  #listen(connection: Connection): void {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
    };
    connection
      .request('subscriptions/listen', { notifications })
      .catch((error: unknown) => this.#log.debug('not listening', { error: messageOf(error) }));
  }

  #sendLogLevel(connection: Connection): void {
    const { era, capabilities } = connection.greeting;
    if (this.#logLevel === undefined || era !== 'legacy' || !capabilities['logging']) return;
    connection
      .request('logging/setLevel', { level: this.#logLevel }, { timeoutMs: 10_000 })
      .catch((error: unknown) => this.#log.debug('log level refused', { error: messageOf(error) }));
  }

  #armIdleStop(live: LiveConnection): void {
    clearTimeout(live.idleTimer);
    const { idleStopMs } = this.#settings;
    if (idleStopMs === 0 || live.callCount > 0 || !live.connection) return;
    const keep = live.hasBeenCalled || this.spec.start === 'background';
    live.idleTimer = setTimeout(
      () => {
        // With it would end the reports on its resources.
        if (live.callCount > 0 || this.#watched.size > 0) return this.#armIdleStop(live);
        this.#log.info('stopped: idle');
        void this.#stop(live, disabled(this.spec.name, 'nothing called it'));
      },
      keep ? idleStopMs : Math.min(idleStopMs, UNCALLED_IDLE_MS),
    );
    live.idleTimer.unref();
  }

  async #stop(live: LiveConnection, reason: Error): Promise<void> {
    clearTimeout(live.idleTimer);
    await live.connection?.close(reason);
  }

  /**
   * Errors of the transport say which server they come from. A server may quote the key it refuses;
   * what we make of its words must not spread it.
   */
  #named(error: unknown): Error {
    if (error instanceof RpcError) {
      const known = (words: string) => maskKnown(words, this.#secrets);
      return maskRpcError(error, { all: (words) => this.mask(words), known });
    }
    const named = this.#withServer(error);
    const text = this.mask(named.message);
    if (text === named.message) return named;
    return new PmlError(named.code, text, { details: named.details });
  }

  #withServer(error: unknown): PmlError {
    if (error instanceof PmlError) {
      const saysWhich = error.details['server'] !== undefined;
      if (saysWhich || !TRANSPORT_ERRORS.has(error.code)) return error;
      return new PmlError(error.code, `Server ${this.spec.name}: ${error.message}`, {
        cause: error,
        details: { ...error.details, server: this.spec.name },
      });
    }
    return new PmlError('SERVER_ERROR', `Server ${this.spec.name}: ${messageOf(error)}`, {
      cause: error,
      details: { server: this.spec.name },
    });
  }
}

/** Why a server is stopped that has done nothing wrong. */
export function disabled(server: ServerName, why: string): PmlError {
  return new PmlError('SERVER_DISABLED', `Server ${server} was stopped: ${why}`, {
    details: { server },
  });
}

/** Between requests nothing would tell this client from another: it would read what that one left. */
function needsClient(server: string): PmlError {
  return new PmlError(
    'BAD_REQUEST',
    `Server ${server} has "isolation": "per-client", and this stateless HTTP client does not say who it is. Send the header PML-Client with 32 or more random characters, the same with every request; or use a session (protocol 2025-11-25) or stdio`,
    { details: { server } },
  );
}

function connectionOf(live: LiveConnection): Connection {
  if (!live.connection) throw new PmlError('SERVER_NOT_STARTED', 'the server is still starting');
  return live.connection;
}

function isOpenBreaker(error: Error): boolean {
  return error instanceof PmlError && error.code === 'SERVER_BROKEN';
}

/** A shared start goes on for others when one of those who wait for it gives up. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let onAbort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new PmlError('CALL_CANCELLED', 'cancelled while the server starts'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
