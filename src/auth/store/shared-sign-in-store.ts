/**
 * Sign-ins of gateways that share a PostgreSQL database.
 *
 * Invariants:
 * - The database holds sign-ins encrypted. Their key is in the configuration, in the keychain or in a
 *   file that the user alone can read, never in the database.
 * - A gateway writes a sign-in only while it has the lease. A gateway that lost it learns so.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import {
  type JsonObject,
  type Logger,
  messageOf,
  PmlError,
  type SharedSignIns,
} from '../../core/index.js';
import { seal, sealedName, type SealKey, sealKeyOf, unseal } from './seal.js';
import type { SignInStore } from './sign-in-store.js';
import { Turns } from './turns.js';

/** Token requests end within 15 seconds; a gateway that answers extends its lease. */
const LEASE_MS = 60_000;
const LOOK_AGAIN_MS = 100;
/** Where the key of a database is kept; the name of the lease under which it is made. */
const KEY_NAME = 'key';

export interface SharedStoreOptions {
  /** Rejects while the database cannot be reached. */
  readonly rows: () => Promise<SharedSignIns>;
  /** Set by the user; otherwise PML makes one and keeps it in `keys`. */
  readonly secret: string | undefined;
  readonly keys: SignInStore;
  /** Which key of `keys` belongs to this database. */
  readonly database: string;
  /** Sign-ins that this gateway had before it used the database. */
  readonly own: SignInStore;
  readonly log: Logger;
  readonly leaseMs?: number;
}

export class SharedSignInStore implements SignInStore {
  readonly #options: SharedStoreOptions;
  readonly #owner = randomUUID();
  readonly #turns = new Turns();
  #key: Promise<SealKey> | undefined;

  constructor(options: SharedStoreOptions) {
    this.#options = options;
  }

  get place(): string {
    const { secret, keys } = this.#options;
    const where = secret === undefined ? keys.place : 'the configuration';
    return `the database, encrypted; the key is in ${where}`;
  }

  async read(key: string): Promise<JsonObject | undefined> {
    const { rows, own, log } = this.#options;
    const { sealKey, name } = await this.#open(key);
    const sealed = await (await rows()).read(name);
    if (sealed === undefined) return own.read(key);
    const value = unseal(sealKey, name, sealed);
    if (!value) log.warn('a stored sign-in cannot be decrypted; sign in again');
    return value;
  }

  async write(key: string, value: JsonObject): Promise<void> {
    const { sealKey, name } = await this.#open(key);
    await this.#put(name, seal(sealKey, name, value));
    await this.#options.own.remove(key);
  }

  async remove(key: string): Promise<void> {
    await this.#options.own.remove(key); // First: it would count again without the other one.
    await this.#put((await this.#open(key)).name, undefined);
  }

  async exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { name } = await this.#open(key);
    return this.#leased(name, work);
  }

  async #open(key: string): Promise<{ readonly sealKey: SealKey; readonly name: string }> {
    this.#key ??= this.#findKey();
    try {
      const sealKey = await this.#key;
      return { sealKey, name: sealedName(sealKey, key) };
    } catch (error) {
      this.#key = undefined; // The database may answer the next time.
      throw error;
    }
  }

  async #findKey(): Promise<SealKey> {
    const { secret, database } = this.#options;
    if (secret !== undefined) return sealKeyOf(secret);
    const known = await this.#readKey();
    // Two gateways that start together make one key.
    return known ?? this.#leased(`${KEY_NAME}/${database}`, () => this.#makeKey());
  }

  async #readKey(): Promise<SealKey | undefined> {
    const { keys, database } = this.#options;
    const secret = (await keys.read(`${KEY_NAME}-${database}`))?.['secret'];
    return typeof secret === 'string' ? sealKeyOf(secret) : undefined;
  }

  async #makeKey(): Promise<SealKey> {
    const { keys, database } = this.#options;
    const known = await this.#readKey();
    if (known) return known;
    const secret = randomBytes(32).toString('base64url');
    await keys.write(`${KEY_NAME}-${database}`, { secret });
    return sealKeyOf(secret);
  }

  async #put(name: string, sealed: Uint8Array | undefined): Promise<void> {
    const rows = await this.#options.rows();
    if (await rows.write(name, this.#owner, sealed)) return;
    throw new PmlError(
      'SIGN_IN_FAILED',
      'Another gateway on the same database took over this sign-in. Try again',
    );
  }

  #leased<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(name, async () => {
      const { rows: open, log, leaseMs = LEASE_MS } = this.#options;
      const rows = await open();
      while (!(await rows.lease(name, this.#owner, leaseMs))) await delay(LOOK_AGAIN_MS);
      const warn = (error: unknown) =>
        log.warn('the lease of a sign-in', { error: messageOf(error) });
      let extended: Promise<unknown> | undefined;
      const extending = setInterval(() => {
        extended = rows.lease(name, this.#owner, leaseMs).catch(warn);
      }, leaseMs / 3).unref();
      try {
        return await work();
      } finally {
        clearInterval(extending);
        await extended; // It would take the lease again after the release.
        // Without it the others wait until the lease expires.
        await rows.release(name, this.#owner).catch(warn);
      }
    });
  }
}
