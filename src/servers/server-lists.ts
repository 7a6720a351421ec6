import type { Logger } from '../core/index.js';
import type { Greeting } from './connection/handshake.js';
import type { LiveConnection } from './connection/live-connection.js';
import { type RawListing, readListing } from './listing.js';

/** Change notifications come in bursts; one listing answers them all. */
const REFRESH_DELAY_MS = 150;
/** PML accepts the last list of a server that reports changes of its tools without end. */
const MOST_LISTINGS = 3;

export interface ListsSettings {
  readonly maxTools: number;
  readonly startTimeoutMs: number;
  readonly log: Logger;
}

export interface ListsPorts {
  /** The connection a refresh reads from. */
  readonly current: () => LiveConnection | undefined;
  /** Resolves when everything that decides about calls knows the lists. */
  readonly listed: (listing: RawListing, greeting: Greeting) => Promise<void> | void;
  readonly nameError: (error: unknown) => Error;
}

/** Reads the lists of one server, one listing at a time: an older answer never replaces a newer one. */
export class ServerLists {
  readonly #settings: ListsSettings;
  readonly #ports: ListsPorts;
  #timer: NodeJS.Timeout | undefined;
  #pending: Promise<void> | undefined;
  #error: Error | undefined;
  #isClosed = false;

  constructor(settings: ListsSettings, ports: ListsPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /** Why the last listing failed. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** The server reported a change. */
  changed(live: LiveConnection, method: string): void {
    if (method === 'notifications/tools/list_changed') {
      live.isListed = false;
      live.toolChanges++;
    }
    this.refreshIn(REFRESH_DELAY_MS);
  }

  refreshIn(delayMs: number): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#pending) return void this.#pending.finally(() => this.refreshIn(delayMs));
      const live = this.#ports.current();
      if (live?.connection) void this.read(live).catch(() => {}); // `#readAll` has logged it.
    }, delayMs);
  }

  /** One listing serves all calls that wait for it, and the refresh that is due anyway. */
  async readFirst(live: LiveConnection): Promise<void> {
    while (this.#pending && !live.isListed) await this.#pending;
    for (let tries = 0; tries < MOST_LISTINGS && !live.isListed; tries++) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      await this.read(live);
    }
  }

  async read(live: LiveConnection): Promise<void> {
    while (this.#pending) await this.#pending;
    const work = this.#readAll(live);
    this.#pending = work.catch(() => {}).finally(() => (this.#pending = undefined));
    return work;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #readAll(live: LiveConnection): Promise<void> {
    const connection = live.started();
    const { maxTools, startTimeoutMs: timeoutMs, log } = this.#settings;
    const { toolChanges } = live;
    try {
      const listing = await readListing(connection, { maxTools, timeoutMs, log });
      this.#error = undefined;
      await this.#ports.listed(listing, connection.greeting);
      live.isListed = live.toolChanges === toolChanges;
    } catch (error) {
      const named = this.#ports.nameError(error);
      if (!connection.isClosed) {
        this.#error = named;
        log.warn('lists not read', { error: named.message });
      }
      throw named;
    }
  }
}
