import { isDeepStrictEqual } from 'node:util';

import {
  type Capability,
  type CapabilityStore,
  type CapabilityUpdate,
  type Logger,
  messageOf,
} from '../core/index.js';
import type { FileCapabilityStore } from './file-capability-store.js';
import { joinCapabilities } from './join-capabilities.js';

interface KeptOptions {
  readonly file: FileCapabilityStore;
  /** The embedded database, which may be lost, or put back to what it was days ago. */
  readonly store: CapabilityStore;
  readonly log: Logger;
}

/**
 * Capabilities in a synced file and in the embedded database. The file is written first and decides:
 * what it has comes back into a database that was lost, and what was deleted there stays deleted. A
 * file that is missing or damaged is completed from the database.
 */
export function keptCapabilities({ file, store, log }: KeptOptions): CapabilityStore {
  /** Whether the database has all that the file has. */
  let isInStep = false;
  /** While the database is brought in step after a start. */
  let stepping: Promise<unknown> = Promise.resolve();

  async function all(): Promise<readonly Capability[]> {
    return joinCapabilities(await file.load(), await store.load(), file);
  }

  /** Only a complete file tells what was removed: the database keeps all that another one lacks. */
  async function bringInStep(): Promise<void> {
    if (!file.isComplete) await file.replace(await all());
    const update = difference(await store.load(), await file.load());
    if (update) await store.save(update);
    isInStep = true;
  }

  async function load(): Promise<readonly Capability[]> {
    if (!file.isComplete) {
      const joined = await all();
      const isKept = await attempt('capabilities are kept in the store alone', () =>
        file.replace(joined),
      );
      if (!isKept) return joined;
    }
    // Not waited for: the file decides, and the database may still be opening.
    stepping = attempt('capabilities not saved in the store', bringInStep);
    return file.load();
  }

  /** Whether it worked; what did not is tried again with the next change. */
  async function attempt(failure: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn(failure, { error: messageOf(error) });
      return false;
    }
  }

  async function save(update: CapabilityUpdate): Promise<void> {
    await stepping;
    // Before the change: what it removes would else come back from the database.
    if (!file.isComplete) await attempt('file of capabilities not completed', bringInStep);
    await file.save(update);
    const isDirect = isInStep || !file.isComplete;
    const isSaved = await attempt('capabilities not saved in the store, only in their file', () =>
      isDirect ? store.save(update) : bringInStep(),
    );
    isInStep = isSaved && file.isComplete;
  }

  return { load, save };
}

/** What makes the first like the second; nothing if they are alike. */
function difference(
  have: readonly Capability[],
  want: readonly Capability[],
): CapabilityUpdate | undefined {
  const wanted = new Map(want.map((one) => [one.name, one]));
  const had = new Map(have.map((one) => [one.name, one]));
  const write = want.filter((one) => !isDeepStrictEqual(one, had.get(one.name)));
  const gone = have.filter(({ name }) => !wanted.has(name));
  if (write.length + gone.length === 0) return undefined;
  // Removed first, because statistics of a version that is stored would stay as they are.
  const remove = [...gone, ...write].map(({ name }) => name);
  return { write, remove, forget: [], uses: [] };
}
