import { join } from 'node:path';

import {
  type JsonObject,
  type Logger,
  maskSecrets,
  PmlError,
  type ProtocolEra,
  type RemoteSpec,
  type ServerName,
  type ServerSpec,
  type ServerTokens,
  specSecrets,
} from '../core/index.js';
import { ChildRecords } from '../process/index.js';
import type { Caller } from './caller.js';
import { SLOW_START_MS } from './connection/connections.js';
import type { Greeting } from './connection/handshake.js';
import { DeclaredExtensions } from './declared-extensions.js';
import type { RawListing } from './listing.js';
import { ManagedServer, type NotifiedClient } from './managed-server.js';
import { Semaphore } from './semaphore.js';
import { disabled } from './server-errors.js';
import { ServerLog } from './server-log.js';

export interface PoolSettings {
  readonly dataDir: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clientInfo: JsonObject;
  readonly limits: {
    readonly callTimeoutMs: number;
    readonly startTimeoutMs: number;
    readonly idleStopMs: number;
    readonly serverConcurrency: number;
    readonly backgroundStarts: number;
    readonly messageBytes: number;
    readonly tools: number;
  };
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly knownEras: (server: ServerName) => readonly ProtocolEra[] | undefined;
  /** The access tokens of a remote server; undefined if PML sends none of its own. */
  readonly tokensFor?: (spec: RemoteSpec) => ServerTokens | undefined;
}

export interface PoolEvents {
  listed(
    spec: ServerSpec,
    listing: RawListing,
    greeting: Greeting,
    eras: readonly ProtocolEra[],
  ): Promise<void> | void;
  /** A server reported that one of its lists changed. */
  changed?(server: ServerName): void;
  notified(
    server: ServerName,
    method: string,
    params: JsonObject | undefined,
    to: NotifiedClient,
  ): void;
  /** A tool of a server is called. */
  called?(server: ServerName, caller: Caller): void;
}

/** All configured servers of one daemon. */
export class ServerPool {
  readonly #settings: PoolSettings;
  readonly #events: PoolEvents;
  readonly #records: ChildRecords;
  readonly #servers = new Map<ServerName, ManagedServer>();
  readonly #starts: Semaphore;
  /** What clients declare, which PML declares to shared servers. */
  readonly extensions = new DeclaredExtensions(() => this.#redeclare());

  constructor(settings: PoolSettings, events: PoolEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#records = new ChildRecords(join(settings.dataDir, 'children'));
    this.#records.reap(settings.log);
    this.#starts = new Semaphore(settings.limits.backgroundStarts);
  }

  /** Makes the pool match `specs`. A server whose entry changed is closed and recreated. */
  async configure(specs: ReadonlyMap<ServerName, ServerSpec>): Promise<void> {
    const leaving = [...this.#servers.values()].filter(
      (server) => !isSameSpec(server.spec, specs.get(server.spec.name)),
    );
    for (const { spec } of leaving) this.#servers.delete(spec.name);
    for (const [name, spec] of specs) {
      if (!this.#servers.has(name)) this.#servers.set(name, this.#create(spec));
    }
    await Promise.all(
      leaving.map((server) =>
        server.close(disabled(server.spec.name, 'its configuration changed or is gone')),
      ),
    );
  }

  names(): readonly ServerName[] {
    return [...this.#servers.keys()];
  }

  all(): readonly ManagedServer[] {
    return [...this.#servers.values()];
  }

  get(name: ServerName): ManagedServer {
    const server = this.#servers.get(name);
    if (server) return server;
    const known = this.names().join(', ') || 'none';
    throw new PmlError('SERVER_UNKNOWN', `No server ${name} is configured. Configured: ${known}`, {
      details: { server: name },
    });
  }

  has(name: ServerName): boolean {
    return this.#servers.has(name);
  }

  /**
   * Starts servers to read their lists, a few at a time; one that hangs gives its slot to the next.
   * The servers log failures.
   */
  async warmUp(names: readonly ServerName[]): Promise<void> {
    await Promise.all(
      names.map((name) =>
        // The server has logged the error and keeps it for `status`.
        this.#started(async () => this.#servers.get(name)?.refresh()).catch(() => {}),
      ),
    );
  }

  /** A person has signed in to a server: it lists its tools now. */
  async signedIn(name: ServerName): Promise<void> {
    // The server has logged the error and keeps it for `status`.
    await this.#started(async () => this.#servers.get(name)?.signedIn()).catch(() => {});
  }

  async #started(work: () => Promise<void>): Promise<void> {
    await this.#starts.enter(undefined);
    const leave = once(() => this.#starts.leave());
    const timer = setTimeout(leave, SLOW_START_MS);
    try {
      await work();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  #redeclare(): void {
    for (const server of this.all()) {
      // The server has logged the error and keeps it for `status`.
      this.#started(() => server.redeclare()).catch(() => {});
    }
  }

  /** A client has left: servers that were started for it alone end. */
  async release(session: string): Promise<void> {
    await Promise.all(this.all().map((server) => server.release(session)));
  }

  async close(reason: Error): Promise<void> {
    await Promise.all(this.all().map((server) => server.close(reason)));
  }

  #create(spec: ServerSpec): ManagedServer {
    const { limits, log, knownEras, environment, clientInfo, now } = this.#settings;
    const directory = join(this.#settings.dataDir, 'logs', 'servers');
    const secrets = specSecrets(spec);
    const serverLog = new ServerLog(directory, spec.name, (line) => maskSecrets(line, secrets));
    const tokens = spec.kind === 'stdio' ? undefined : this.#settings.tokensFor?.(spec);
    return new ManagedServer(
      spec,
      {
        environment,
        clientInfo,
        extensions: () => this.extensions.all,
        now,
        serverLog,
        records: this.#records,
        log: log.with({ server: spec.name }),
        callTimeoutMs: limits.callTimeoutMs,
        startTimeoutMs: limits.startTimeoutMs,
        idleStopMs: limits.idleStopMs,
        maxConcurrency: limits.serverConcurrency,
        maxMessageBytes: limits.messageBytes,
        maxTools: limits.tools,
        knownEras: () => knownEras(spec.name),
        tokens,
      },
      {
        listed: (listing, greeting, eras) => this.#events.listed(spec, listing, greeting, eras),
        changed: () => this.#events.changed?.(spec.name),
        notified: (method, params, to) => this.#events.notified(spec.name, method, params, to),
        called: (caller) => this.#events.called?.(spec.name, caller),
      },
    );
  }
}

function isSameSpec(one: ServerSpec, other: ServerSpec | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
