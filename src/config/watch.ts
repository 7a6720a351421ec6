import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import { type Logger, messageOf, PmlError } from '../core/index.js';
import type { Environment } from './find.js';
import { loadConfig, type LoadedConfig } from './load.js';

/** Editors save in several steps; this waits for the last one. */
const DEBOUNCE_MS = 100;

export interface WatchConfigOptions {
  readonly logger: Logger;
  readonly env: Environment;
  /** `hash` of the configuration in use: a file that differs at the start counts as a change. */
  readonly since: string;
  /** Called once for each version of the file that cannot be used. Nothing changes then. */
  readonly onInvalid?: (error: PmlError) => void;
  /** Called when a check finds the version that was reported last, or `since`. */
  readonly onUsed?: (hash: string) => void;
  readonly debounceMs?: number;
}

/**
 * Calls `onChange` with every new usable version of the file until disposed. Watches the directory,
 * because editors replace files; a file that is gone for a moment, or for good, changes nothing.
 */
export function watchConfig(
  path: string,
  onChange: (config: LoadedConfig) => void,
  options: WatchConfigOptions,
): AsyncDisposable {
  return new ConfigWatch(resolve(path), onChange, options);
}

class ConfigWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #onChange: (config: LoadedConfig) => void;
  readonly #options: WatchConfigOptions;
  readonly #watchers: readonly FSWatcher[];
  /** Hash in use. */
  #used: string;
  /** Last failure, so that each is reported once. */
  #failure: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(path: string, onChange: (config: LoadedConfig) => void, options: WatchConfigOptions) {
    this.#path = path;
    this.#onChange = onChange;
    this.#options = options;
    this.#used = options.since;
    this.#watchers = watchedPaths(path).map((watched) => this.#watch(watched));
    this.#schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#work;
  }

  #watch(watched: string): FSWatcher {
    const watcher = watch(dirname(watched), { persistent: false }, (_event, name) => {
      if (name === null || name === basename(watched)) this.#schedule();
    });
    return watcher.on('error', (error) => {
      const fields = { path: watched, error: messageOf(error) };
      this.#options.logger.warn('configuration is no longer watched', fields);
    });
  }

  #schedule(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#work = this.#work.then(() => this.#check());
    }, this.#options.debounceMs ?? DEBOUNCE_MS);
    this.#timer.unref();
  }

  /** Never rejects: it reports every error, and the next event tries again. */
  async #check(): Promise<void> {
    try {
      const config = await loadConfig(this.#path, this.#options.env);
      this.#failure = undefined;
      if (this.#closed) return;
      if (config.hash === this.#used) return this.#options.onUsed?.(config.hash);
      this.#used = config.hash;
      this.#onChange(config);
    } catch (error) {
      if (!this.#closed) this.#report(error);
    }
  }

  #report(error: unknown): void {
    const { logger, onInvalid } = this.#options;
    const failure = messageOf(error);
    const isAbsent = error instanceof PmlError && error.code === 'CONFIG_NOT_FOUND';
    if (isAbsent || failure === this.#failure) return;
    this.#failure = failure;
    logger.warn('changed configuration is not used', { path: this.#path, error: failure });
    if (error instanceof PmlError) onInvalid?.(error);
  }
}

/** The file, and what it links to: an edit of the target does not touch the link's directory. */
function watchedPaths(path: string): readonly string[] {
  try {
    return [...new Set([path, realpathSync(path)])];
  } catch {
    // It does not exist yet: its directory is watched anyway.
    return [path];
  }
}
