import type { JsonObject } from '../../core/index.js';
import { findKeychain, KeychainSignInStore, type OpenEntry } from './keychain-sign-in-store.js';
import type { SignInStore } from './sign-in-store.js';

export interface ChosenStoreOptions {
  readonly files: SignInStore;
  /** Keeps the data directories of one user apart. */
  readonly scope: string;
  readonly find?: () => Promise<OpenEntry | undefined>;
}

/**
 * The keychain where it works, files elsewhere. Decided with the first sign-in that is read or
 * written. A sign-in of the other place is still found, and moves with its next change.
 */
export class ChosenSignInStore implements SignInStore {
  readonly #options: ChosenStoreOptions;
  #choosing: Promise<SignInStore> | undefined;
  #chosen: SignInStore;

  constructor(options: ChosenStoreOptions) {
    this.#options = options;
    this.#chosen = options.files;
  }

  get place(): string {
    return this.#chosen.place;
  }

  async read(key: string): Promise<JsonObject | undefined> {
    const chosen = await this.choose();
    const { files } = this.#options;
    return (await chosen.read(key)) ?? (chosen === files ? undefined : files.read(key));
  }

  async write(key: string, value: JsonObject): Promise<void> {
    const chosen = await this.choose();
    const { files } = this.#options;
    try {
      await chosen.write(key, value);
      if (chosen !== files) await files.remove(key);
    } catch (error) {
      // Some keychains refuse entries of more than 2,560 bytes; the pair must not be lost.
      if (chosen === files) throw error;
      await files.write(key, value);
      await chosen.remove(key).catch(() => {}); // An older pair there would win over the new one.
    }
  }

  async remove(key: string): Promise<void> {
    const chosen = await this.choose();
    await chosen.remove(key);
    if (chosen !== this.#options.files) await this.#options.files.remove(key);
  }

  exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#options.files.exclusively(key, work);
  }

  /** Resolves when the place is known. */
  choose(): Promise<SignInStore> {
    return (this.#choosing ??= this.#choose());
  }

  async #choose(): Promise<SignInStore> {
    const { files, scope, find = findKeychain } = this.#options;
    const open = await find();
    this.#chosen = open ? new KeychainSignInStore(open, scope) : files;
    return this.#chosen;
  }
}
