import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isJsonObject, type JsonObject, PmlError } from '../../core/index.js';
import { SyncedFile } from '../../safekeeping/index.js';
import type { SignInStore } from './sign-in-store.js';
import { Turns } from './turns.js';

const PRIVATE_FOLDER = 0o700;

/** A file for each sign-in, readable by its owner alone, in a folder that only the owner can enter. */
export class FileSignInStore implements SignInStore {
  readonly place: string;
  readonly #folder: string;
  readonly #files = new Map<string, SyncedFile>();
  readonly #turns = new Turns();
  #checked: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.place = `files in ${folder}, readable by you alone`;
  }

  async read(key: string): Promise<JsonObject | undefined> {
    const value = await this.#file(key).read();
    return isJsonObject(value) ? value : undefined;
  }

  async write(key: string, value: JsonObject): Promise<void> {
    await (this.#checked ??= this.#prepareFolder());
    await this.#file(key).write(value);
  }

  async remove(key: string): Promise<void> {
    await rm(this.#file(key).path, { force: true });
  }

  /** One daemon owns a data directory, so only this process touches these files. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(key, work);
  }

  #file(key: string): SyncedFile {
    const known = this.#files.get(key);
    if (known) return known;
    const file = new SyncedFile(join(this.#folder, `${key}.json`), {
      format: 'pml-sign-in',
      version: 1,
    });
    this.#files.set(key, file);
    return file;
  }

  async #prepareFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER });
    const stats = await lstat(this.#folder);
    if (!stats.isDirectory()) throw unusable(this.#folder, 'it is not a folder');
    if (process.getuid && stats.uid !== process.getuid()) {
      throw unusable(this.#folder, 'it belongs to another user');
    }
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw unusable(this.#folder, 'others may enter it; run chmod 700');
    }
  }
}

function unusable(folder: string, why: string): PmlError {
  return new PmlError('SIGN_IN_FAILED', `PML keeps no tokens in ${folder}: ${why}`);
}
