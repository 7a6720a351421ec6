import {
  isJsonObject,
  type JsonObject,
  type Logger,
  maskSecrets,
  type ProtocolEra,
  type ServerSpec,
  specSecrets,
} from '../core/index.js';
import type { RpcNotification } from '../rpc/index.js';
import type { Caller } from './caller.js';
import type { Connection } from './connection/connection.js';
import {
  Connections,
  type ConnectionsSettings,
  type StartedAhead,
} from './connection/connections.js';
import type { Greeting } from './connection/handshake.js';
import type { LiveConnection } from './connection/live-connection.js';
import { KnownEras } from './known-eras.js';
import { listenForChanges } from './listen-for-changes.js';
import type { RawListing } from './listing.js';
import { ServerLogLevel } from './log-level.js';
import { nameError } from './server-errors.js';
import { type ListsSettings, ServerLists } from './server-lists.js';
import {
  type RequestSettings,
  type ServerRequestOptions,
  ServerRequests,
} from './server-requests.js';
import { ToolHeaders } from './tool-headers.js';
import { WatchedResources } from './watched-resources.js';

/** The client that a notification of a server is meant for, as far as PML can tell. */
export interface NotifiedClient {
  /** The one client that has a call running. */
  readonly caller: Caller | undefined;
  /** Whether a session may see it: of an instance of its own only that session. */
  readonly isFor: (session: string) => boolean;
}

export interface ServerEvents {
  /** Resolves when everything that decides about calls knows the lists. */
  listed(
    listing: RawListing,
    greeting: Greeting,
    eras: readonly ProtocolEra[],
  ): Promise<void> | void;
  /** The server said that one of its lists changed. */
  changed(): void;
  /** A notification that this module does not use itself. */
  notified(method: string, params: JsonObject | undefined, to: NotifiedClient): void;
  /** A tool of the server is called. */
  called?(caller: Caller): void;
}

export interface ServerSettings extends ConnectionsSettings, ListsSettings, RequestSettings {
  /** The protocol revisions that the store remembers of this server. */
  readonly knownEras: () => readonly ProtocolEra[] | undefined;
}

export interface ServerStatus {
  readonly state: Connections['state'];
  readonly pids: readonly number[];
  readonly runningCalls: number;
  readonly eras: readonly ProtocolEra[];
  readonly lastError: string | undefined;
  readonly retryInMs: number;
}

/** One configured server: PML starts it when needed, ends it when idle, restarts it when it died. */
export class ManagedServer {
  readonly spec: ServerSpec;
  readonly #settings: ServerSettings;
  readonly #events: ServerEvents;
  readonly #log: Logger;
  readonly #ownSecrets: readonly string[];
  readonly #eras: KnownEras;
  readonly #watched: WatchedResources;
  readonly #logLevel: ServerLogLevel;
  readonly #connections: Connections;
  readonly #lists: ServerLists;
  readonly #requests: ServerRequests;
  /** Tasks that end with the server; while there are some, it is not idle. */
  readonly #holds = new Set<symbol>();

  constructor(spec: ServerSpec, settings: ServerSettings, events: ServerEvents) {
    this.spec = spec;
    this.#settings = settings;
    this.#events = events;
    this.#log = settings.log;
    this.#ownSecrets = specSecrets(spec);
    this.#eras = new KnownEras(settings.knownEras);
    this.#watched = new WatchedResources(settings.log);
    this.#logLevel = new ServerLogLevel(settings.log);
    const named = (error: unknown) =>
      nameError(error, { server: spec.name, secrets: this.#secrets });
    const headers = new ToolHeaders();
    this.#connections = new Connections(spec, settings, {
      eras: this.#eras,
      nameError: named,
      isWatched: () => this.#watched.size > 0 || this.#holds.size > 0,
      opened: (connection) => this.#onOpened(connection),
      notified: (live, notification) => this.#onNotification(live, notification),
    });
    this.#lists = new ServerLists(settings, {
      nameError: named,
      current: () => this.#connections.all[0],
      listed: (listing, greeting) => {
        headers.learn(listing.tools);
        return events.listed(listing, greeting, this.#eras.all ?? ['legacy']);
      },
    });
    this.#requests = new ServerRequests(spec, settings, {
      connections: this.#connections,
      lists: this.#lists,
      headers,
      watched: this.#watched,
      nameError: named,
      mask: (text) => this.mask(text),
    });
  }

  /** Of the configuration, and the tokens that PML got for this server. */
  get #secrets(): readonly string[] {
    const { tokens } = this.#settings;
    return tokens ? [...this.#ownSecrets, ...tokens.secrets] : this.#ownSecrets;
  }

  get status(): ServerStatus {
    const { state, all, open, lastError, retryInMs } = this.#connections;
    return {
      state,
      pids: open.flatMap(({ pid }) => pid ?? []),
      runningCalls: all.reduce((sum, one) => sum + one.callCount, 0),
      eras: this.#eras.all ?? [],
      lastError:
        state === 'needs_sign_in'
          ? `needs a sign-in. Run: pml auth login ${this.spec.name}`
          : (lastError ?? this.#lists.error)?.message,
      retryInMs,
    };
  }

  /** Is starting, and has been for longer than a start should take. */
  get isSlow(): boolean {
    return this.#connections.isSlow;
  }

  /** Runs, and PML knows its tools as it lists them now. */
  get isListed(): boolean {
    return this.#connections.all.some((live) => live.isListed);
  }

  /** The capabilities and texts of the server's greeting, while it runs. */
  get greeting(): Greeting | undefined {
    return this.#connections.all[0]?.connection?.greeting;
  }

  request(
    method: string,
    params: JsonObject | undefined,
    options: ServerRequestOptions,
  ): Promise<JsonObject> {
    if (method === 'tools/call') this.#events.called?.(options.caller);
    return this.#requests.request(method, params, options);
  }

  /** Whether a call of this caller finds the server running or starting. */
  isOpenFor(caller: Caller): boolean {
    return this.#connections.isOpenFor(caller);
  }

  /** Resolves when the server is no longer starting; undefined if it is not. */
  get pendingStart(): Promise<unknown> | undefined {
    return this.#connections.pending;
  }

  /** Starts what a call of this caller would need, so that the call need not wait. Calls nothing. */
  startAhead(caller: Caller): Promise<StartedAhead> {
    return this.#connections.startAhead(caller);
  }

  /** Keeps the server from ending because nothing calls it, until the returned function is called. */
  hold(): () => void {
    const hold = Symbol('hold');
    this.#holds.add(hold);
    return () => this.#holds.delete(hold);
  }

  /** Hides the secrets this server is given, and what has the form of a secret. */
  mask(text: string): string {
    return maskSecrets(text, this.#secrets);
  }

  /** The protocol revision PML uses for a request of this caller. */
  eraFor(caller: Pick<Caller, 'era'>): ProtocolEra {
    return this.#eras.choose(caller.era);
  }

  /** Starts the server if it is not running, and reads its lists. */
  async refresh(): Promise<void> {
    const connections = this.#connections;
    const live =
      connections.all[0] ?? (await connections.start(this.#eras.choose('legacy'), undefined));
    await this.#lists.read(live);
  }

  /** A person has signed in. A start from before may still end for the lack of a token. */
  async signedIn(): Promise<void> {
    await this.#connections.pending;
    await this.refresh();
  }

  /** Clients declare more than before: the server hears it, and its lists may be others now. */
  async redeclare(): Promise<void> {
    if (this.#connections.all.length === 0) return;
    if (await this.#connections.redeclare()) await this.refresh();
  }

  /** For every running instance, and for those that start later. */
  setLogLevel(level: string): void {
    this.#logLevel.set(level, this.#connections.open);
  }

  /** No client watches the resource any more. */
  unwatch(uri: string): void {
    this.#watched.drop(uri, this.#connections.open);
  }

  notifyAll(method: string): void {
    for (const connection of this.#connections.open) {
      if (connection.greeting.era === 'legacy') connection.notify(method);
    }
  }

  /** Ends the instance that belongs to one client only. */
  release(session: string): Promise<void> {
    return this.#connections.release(session);
  }

  async close(reason: Error): Promise<void> {
    this.#lists.close();
    await this.#connections.close(reason);
    this.#settings.serverLog.close();
  }

  #onOpened(connection: Connection): void {
    this.#logLevel.tell(connection);
    this.#watched.tell(connection);
    listenForChanges(connection, this.#log);
    this.#lists.refreshIn(0);
  }

  #onNotification(live: LiveConnection, { method, params }: RpcNotification): void {
    if (method.endsWith('/list_changed')) {
      this.#events.changed();
      return this.#lists.changed(live, method);
    }
    const isOwn = this.spec.isolation === 'per-client';
    this.#events.notified(method, isJsonObject(params) ? params : undefined, {
      caller: live.onlyCaller(),
      isFor: (session) => !isOwn || session === live.opener?.session,
    });
  }
}
