import { isDeepStrictEqual } from 'node:util';

import { diffConfigs } from '../config/diff.js';
import type { ConfigOrigin, Environment } from '../config/find.js';
import type { LoadedConfig } from '../config/load.js';
import { isTrusted } from '../config/trust.js';
import type { RejectedConfig } from '../control/index.js';
import { type Logger, messageOf, PmlError } from '../core/index.js';

interface ConfigChangesOptions {
  readonly first: LoadedConfig;
  readonly origin: ConfigOrigin;
  readonly env: Environment;
  readonly log: Logger;
  readonly mask: (text: string) => string;
  /** Learns the secrets of a configuration before anything of it is used or logged. */
  readonly adopt: (next: LoadedConfig) => void;
  /** Puts a configuration into use that the user trusts. */
  readonly apply: (next: LoadedConfig, change: ConfigChange) => Promise<void>;
}

export interface ConfigChange {
  readonly isOtherModel: boolean;
}

/** The configuration in use, and what becomes of a changed one: used, or rejected with the reason. */
export class ConfigChanges {
  readonly #options: ConfigChangesOptions;
  #current: LoadedConfig;
  #rejected: RejectedConfig | undefined;
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: ConfigChangesOptions) {
    this.#options = options;
    this.#current = options.first;
  }

  get current(): LoadedConfig {
    return this.#current;
  }

  get rejected(): RejectedConfig | undefined {
    return this.#rejected;
  }

  /** The file is again what is in use. */
  used(hash: string): void {
    if (hash === this.#current.hash) this.#rejected = undefined;
  }

  /** The configuration of before stays; `pml status` says so. */
  reject({ code, message }: PmlError): void {
    const at = new Date().toISOString();
    this.#rejected = { code, message: this.#options.mask(message), at };
  }

  /** One after the other: a slow change must not undo the one that came after it. */
  take(next: LoadedConfig): void {
    const before = this.#reloading;
    this.#reloading = (async () => {
      await before;
      await this.#take(next);
    })().catch((error: unknown) => {
      this.#options.log.error('configuration not applied', { error: messageOf(error) });
      this.reject(error instanceof PmlError ? error : notApplied(error));
    });
  }

  async #take(next: LoadedConfig): Promise<void> {
    const { origin, env, log, adopt, apply } = this.#options;
    if (!isTrusted(next, { origin, env })) {
      const { path } = next;
      log.warn('changed configuration is not trusted and not used; run pml trust', { path });
      this.reject(untrusted(path));
      return;
    }
    const before = this.#current;
    const changes = diffConfigs(before, next);
    adopt(next);
    if (next.dataDir !== before.dataDir || next.file.database !== before.file.database) {
      log.warn('dataDir and database take effect after pml restart');
    }
    const isOtherModel = !isDeepStrictEqual(next.file.embedding, before.file.embedding);
    this.#current = next;
    this.#rejected = undefined;
    log.info('configuration changed', { changes });
    await apply(next, { isOtherModel });
  }
}

function untrusted(path: string): PmlError {
  return new PmlError(
    'CONFIG_UNTRUSTED',
    `${path} changed and is not trusted. Read it, then run pml trust --yes and pml restart`,
  );
}

function notApplied(error: unknown): PmlError {
  return new PmlError('CONFIG_INVALID', `not applied: ${messageOf(error)}`, { cause: error });
}
