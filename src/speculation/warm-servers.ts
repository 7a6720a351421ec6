import {
  type Logger,
  matchGlobs,
  maySpeculate,
  messageOf,
  type ServerName,
  type SpeculationSettings,
  type ToolId,
} from '../core/index.js';
import type { Caller, ManagedServer } from '../servers/index.js';
import { type LikelyTool, likelyServers } from './likely-servers.js';
import { whyNotWarm } from './may-warm.js';

/** Why a server is likely to be called. */
export type WarmReason = 'session' | 'discovered' | 'suggested' | 'predicted';

/** Outcomes of servers that were started ahead, since the daemon started. */
export interface WarmCounts {
  readonly started: number;
  readonly failed: number;
  /** Called before they were idle for too long. */
  readonly used: number;
  /** Ended without a call. */
  readonly wasted: number;
  /** Time that first calls did not have to wait. */
  readonly savedMs: number;
  /** Start time that no call used. */
  readonly wastedMs: number;
  readonly reasons: Readonly<Record<WarmReason, number>>;
}

/** Starts servers before the calls that will likely need them. */
export interface Warming {
  /** Never waits and never throws. Calls no tool. */
  warm(tools: readonly LikelyTool[], reason: WarmReason, caller: Caller): void;
  /** A session begins: the client will likely use the same servers as last time. */
  begin(caller: Caller): void;
  readonly counts: WarmCounts;
}

export type WarmableServer = Pick<
  ManagedServer,
  'spec' | 'status' | 'isOpenFor' | 'pendingStart' | 'startAhead'
>;

export interface WarmServersOptions {
  readonly settings: () => SpeculationSettings;
  /** `permissions.deny`. */
  readonly denied: () => readonly string[];
  readonly servers: () => readonly WarmableServer[];
  /** The servers of a tool, or of a capability and all tools it calls. */
  readonly serversOf: (tool: ToolId) => readonly ServerName[];
  /** The servers the client used last time, likeliest first. */
  readonly usedBy: (caller: Caller) => Promise<readonly ServerName[]>;
  readonly hasSession: (session: string) => boolean;
  /** Ends servers that were started for a session that has left meanwhile. */
  readonly release: (session: string) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly log: Logger;
}

interface Wish {
  readonly server: ServerName;
  readonly reason: WarmReason;
  readonly caller: Caller;
  readonly at: number;
}

/** After this time without a start, a wish expires: another server is likelier by then. */
const WISH_MS = 10_000;
const MOST_WISHES = 16;

/**
 * Starts a few servers at a time. A start that a call waits for has priority: while one is pending,
 * PML starts nothing ahead.
 */
export class WarmServers implements Warming {
  readonly #options: WarmServersOptions;
  readonly #starting = new Set<ServerName>();
  #line: readonly Wish[] = [];
  #isWaiting = false;
  #counts: WarmCounts = NO_COUNTS;

  constructor(options: WarmServersOptions) {
    this.#options = options;
  }

  get counts(): WarmCounts {
    return this.#counts;
  }

  warm(tools: readonly LikelyTool[], reason: WarmReason, caller: Caller): void {
    const { settings, denied, serversOf } = this.#options;
    if (!maySpeculate(settings(), 'warm')) return;
    const isDenied = matchGlobs([...settings().deny, ...denied()]);
    const permitted = tools.filter(({ tool }) => !isDenied(tool));
    this.#want(likelyServers(permitted, serversOf), reason, caller);
  }

  begin(caller: Caller): void {
    if (!maySpeculate(this.#options.settings(), 'warm')) return;
    this.#options
      .usedBy(caller)
      .then((servers) => this.#want(servers, 'session', caller))
      .catch((error: unknown) =>
        this.#options.log.warn('servers of the last session not known', {
          error: messageOf(error),
        }),
      );
  }

  #want(servers: readonly ServerName[], reason: WarmReason, caller: Caller): void {
    const at = this.#options.now();
    const startable = servers
      .map((server): Wish => ({ server, reason, caller, at }))
      .filter((wish) => this.#serverFor(wish) !== undefined)
      .slice(0, this.#options.settings().warmServers);
    const isWanted = new Set(startable.map(({ server }) => server));
    const older = this.#line.filter(({ server }) => !isWanted.has(server));
    // A client will most likely call what PML showed it last.
    this.#line = [...startable, ...older].slice(0, MOST_WISHES);
    this.#next();
  }

  #next(): void {
    while (this.#starting.size < this.#options.settings().warmServers) {
      const [wish, ...rest] = this.#line;
      if (!wish) return;
      const isLate = this.#options.now() - wish.at > WISH_MS;
      const server = isLate ? undefined : this.#serverFor(wish);
      if (server && this.#waitForCalls()) return;
      this.#line = rest;
      if (server) void this.#start(server, wish);
    }
  }

  /** Whether a start for a call is pending; `#next` runs again when it ends. */
  #waitForCalls(): boolean {
    const pending = this.#options
      .servers()
      .filter(({ spec }) => !this.#starting.has(spec.name))
      .flatMap(({ pendingStart }) => pendingStart ?? []);
    if (pending.length === 0) return false;
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      void Promise.allSettled(pending).then(() => {
        this.#isWaiting = false;
        this.#next();
      });
    }
    return true;
  }

  /** The server of a wish, if PML may start it now. */
  #serverFor({ server: name, caller }: Wish): WarmableServer | undefined {
    const { settings, denied, servers, hasSession } = this.#options;
    const server = servers().find(({ spec }) => spec.name === name);
    if (!server || this.#starting.has(name)) return undefined;
    const { isolation } = server.spec;
    const candidate = {
      server: name,
      isolation,
      hasFailed: server.status.lastError !== undefined,
      principal: caller.principal,
      hasSession: hasSession(caller.session),
    };
    const why = whyNotWarm(settings(), candidate, denied());
    return why === undefined && !server.isOpenFor(caller) ? server : undefined;
  }

  async #start(server: WarmableServer, { reason, caller }: Wish): Promise<void> {
    const { log, hasSession, release } = this.#options;
    const { name, isolation } = server.spec;
    this.#starting.add(name);
    this.#count({ started: 1 }, reason);
    try {
      const { ms, sparedMs } = await server.startAhead(caller);
      log.debug('started ahead of calls', { server: name, reason, ms });
      void sparedMs.then((spared) => this.#settle(spared, ms));
      if (isolation === 'per-client' && !hasSession(caller.session)) await release(caller.session);
    } catch {
      this.#count({ failed: 1 }); // The server has logged the error and keeps it for `status`.
    } finally {
      this.#starting.delete(name);
      this.#next();
    }
  }

  #settle(sparedMs: number | undefined, startMs: number): void {
    if (sparedMs === undefined) this.#count({ wasted: 1, wastedMs: Math.round(startMs) });
    else this.#count({ used: 1, savedMs: Math.round(sparedMs) });
  }

  #count(more: Partial<Omit<WarmCounts, 'reasons'>>, reason?: WarmReason): void {
    const { reasons, ...counts } = this.#counts;
    const sum = (key: keyof typeof counts) => counts[key] + (more[key] ?? 0);
    this.#counts = {
      started: sum('started'),
      failed: sum('failed'),
      used: sum('used'),
      wasted: sum('wasted'),
      savedMs: sum('savedMs'),
      wastedMs: sum('wastedMs'),
      reasons: reason ? { ...reasons, [reason]: reasons[reason] + 1 } : reasons,
    };
  }
}

const NO_COUNTS: WarmCounts = {
  started: 0,
  failed: 0,
  used: 0,
  wasted: 0,
  savedMs: 0,
  wastedMs: 0,
  reasons: { session: 0, discovered: 0, suggested: 0, predicted: 0 },
};

/** Starts nothing. */
export const NO_WARMING: Warming = { warm: () => {}, begin: () => {}, counts: NO_COUNTS };
