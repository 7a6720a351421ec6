import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

import { isJsonObject, type JsonObject, parseJson } from '../../core/index.js';
import type { SignInStore } from './sign-in-store.js';
import { Turns } from './turns.js';

const SERVICE = 'pml sign-ins';
/** A keychain that asks a person whether PML may read must not hold up the daemon for ever. */
const PATIENCE_MS = 5_000;
/** The kernel of Linux has a keyring too, which forgets everything when the machine restarts. */
const OPTIONS = { linux: { store: 'secret-service' } };

interface KeychainEntry {
  setPassword(password: string, signal?: AbortSignal): Promise<void>;
  getPassword(signal?: AbortSignal): Promise<string | null>;
  deleteCredential(signal?: AbortSignal): Promise<boolean>;
}

/** Opens an entry of the keychain by its name. */
export type OpenEntry = (name: string) => KeychainEntry;

/** Sign-ins in the keychain of the OS. */
export class KeychainSignInStore implements SignInStore {
  readonly place = 'the keychain of this system';
  readonly #open: OpenEntry;
  readonly #scope: string;
  readonly #turns = new Turns();

  /** `scope` keeps the data directories of one user apart. */
  constructor(open: OpenEntry, scope: string) {
    this.#open = open;
    this.#scope = scope;
  }

  async read(key: string): Promise<JsonObject | undefined> {
    const text = await this.#entry(key).getPassword(AbortSignal.timeout(PATIENCE_MS));
    const value = text === null ? undefined : parseJson(text);
    return isJsonObject(value) ? value : undefined;
  }

  async write(key: string, value: JsonObject): Promise<void> {
    await this.#entry(key).setPassword(JSON.stringify(value), AbortSignal.timeout(PATIENCE_MS));
  }

  async remove(key: string): Promise<void> {
    await this.#entry(key).deleteCredential(AbortSignal.timeout(PATIENCE_MS));
  }

  exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(key, work);
  }

  #entry(key: string): KeychainEntry {
    return this.#open(`${this.#scope}/${key}`);
  }
}

/** Whether the keychain of this system works: a small entry is written, read and removed. */
export async function findKeychain(): Promise<OpenEntry | undefined> {
  try {
    const keyring = createRequire(import.meta.url)('@napi-rs/keyring') as {
      readonly AsyncEntry: new (service: string, name: string, options: object) => KeychainEntry;
    };
    const open: OpenEntry = (name) => new keyring.AsyncEntry(SERVICE, name, OPTIONS);
    return (await works(open)) ? open : undefined;
  } catch {
    return undefined; // Not installed, or no binary for this system.
  }
}

async function works(open: OpenEntry): Promise<boolean> {
  const entry = open(`probe-${randomUUID()}`);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    await entry.setPassword('probe', signal);
    return (await entry.getPassword(signal)) === 'probe';
  } catch {
    return false; // No keychain runs, or it is locked.
  } finally {
    await entry.deleteCredential(signal).catch(() => {}); // There may be none.
  }
}
