import type { Capabilities } from '../../capabilities/index.js';
import type { Logger, SharedCapabilityStore } from '../../core/index.js';
import { repeat } from '../repeat.js';

interface FollowOptions {
  readonly capabilities: Pick<Capabilities, 'follow'>;
  readonly store: Pick<SharedCapabilityStore, 'news'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Polling is cheap: it costs one statement while nothing changed. */
const EVERY_MS = 5_000;

/** On a shared database: loads what other gateways learned, changed and deleted. */
export function followCapabilities(options: FollowOptions): AsyncDisposable {
  const { capabilities, store, log, everyMs = EVERY_MS } = options;
  const failure = 'cannot read the capabilities of other gateways';
  const work = () => store.news((news) => capabilities.follow(news));
  return repeat(work, { everyMs, failure, log });
}
