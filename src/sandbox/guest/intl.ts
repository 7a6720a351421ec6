import type { Primordials } from './primordials.js';

/** The little of `Intl` that scripts use: American English, Coordinated Universal Time. */
export function installIntl(p: Primordials): void {
  void p;
}
