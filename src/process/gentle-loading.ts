import * as nodeModule from 'node:module';

import { fileLimit } from './limits.js';

/** The loader opens all files of a package at once, and the largest of ours has some hundreds. */
const COMFORTABLE_LIMIT = 1_024;

/** What newer versions of Node have; the types are those of the oldest. */
interface SyncHooks {
  readonly registerHooks?: (hooks: {
    readonly load: (
      url: string,
      context: object,
      next: (url: string, context: object) => object,
    ) => object;
  }) => unknown;
}

/**
 * Loads modules one at a time where few files may be open. A module that could not be opened would be
 * missing for as long as the process lives: a failed import is not tried again.
 */
export function loadGently(): void {
  if ((fileLimit() ?? Infinity) >= COMFORTABLE_LIMIT) return;
  const { registerHooks } = nodeModule as SyncHooks;
  // Hooks of this thread read one file after the other; those of older versions have to be made to.
  if (registerHooks) registerHooks({ load: (url, context, next) => next(url, context) });
  else nodeModule.register(new URL('./one-at-a-time.js', import.meta.url));
}
