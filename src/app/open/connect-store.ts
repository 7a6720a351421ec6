import type { LoadedConfig } from '../../config/load.js';
import { type CapabilityStore, type Logger, messageOf } from '../../core/index.js';
import { type FileCapabilityStore, keptCapabilities, keptModels } from '../../safekeeping/index.js';
import type { Store } from '../../store/index.js';
import type { Engine } from '../engine.js';
import { followCapabilities } from '../tend/follow-capabilities.js';
import { followOthers } from '../tend/follow-others.js';
import { type StoreHealth, watchStore } from '../tend/watch-store.js';
import { hasStore, learnedFile, openKeptCapabilities } from './data-files.js';

interface ConnectOptions {
  readonly config: LoadedConfig;
  readonly health: StoreHealth;
  /** The lists of servers and the capabilities are in memory. */
  readonly onKnown: () => void;
  /** The code of the store is loaded; nothing of it runs yet. */
  readonly onLoaded: () => void;
  readonly log: Logger;
}

export interface ConnectedStore {
  /** Nothing if it could not be opened: the daemon works from memory. */
  readonly store: Store | undefined;
  readonly error?: string;
  /** Stops following others and closes the file of capabilities; the store itself stays open. */
  readonly disconnect: () => Promise<void>;
}

/** Opens the store and gives every part of the engine what is stored for it. */
export async function connectStore(
  engine: Engine,
  options: ConnectOptions,
): Promise<ConnectedStore> {
  const { log, onKnown } = options;
  const { capabilities, catalog } = engine;
  await catalog.pins.load();
  const kept = await openKept(options);
  const following: AsyncDisposable[] = [];
  const disconnect = async () => {
    await kept?.[Symbol.asyncDispose]();
    for (const one of following) await one[Symbol.asyncDispose]();
  };
  const open = openOnce(options);
  let hasCapabilities = await attachEarly(engine, { kept, open, ...options });
  try {
    const store = watchStore(await open(), options.health);
    await catalog.attach(store.catalog);
    const isShared = store.runLog !== undefined;
    const known = isShared ? await store.experience.count() : 0;
    if (!hasCapabilities) {
      await capabilities.attach(
        kept
          ? keptCapabilities({ file: kept, store: store.capabilities, log })
          : store.capabilities,
      );
    }
    hasCapabilities = true;
    onKnown();
    await attachExperience(engine, store, options);
    // Not waited for: a big one takes its time, an old store's has to be made first.
    void engine.graph.attach(store.graph);
    // Nor this: predictions are not corrected before the past was read.
    void engine.speculation.ledger.attach(store.episodes);
    if (isShared) following.push(...follow(engine, store, { known, log }));
    engine.results.attach(store.results);
    return { store, disconnect };
  } catch (error) {
    const message = messageOf(error);
    log.error('store not available; working from memory', { error: message });
    catalog.withoutStore();
    if (kept && !hasCapabilities) await capabilities.attach(kept);
    onKnown();
    return { store: undefined, error: message, disconnect };
  }
}

interface EarlyOptions extends ConnectOptions {
  readonly kept: FileCapabilityStore | undefined;
  readonly open: () => Promise<Store>;
}

/**
 * Gives the engine what small files beside the store tell, so that first answers do not wait for the
 * store. Returns whether it has the capabilities.
 */
async function attachEarly(
  { catalog, capabilities }: Engine,
  { config, kept, open, log, onKnown }: EarlyOptions,
): Promise<boolean> {
  if (config.file.database !== 'embedded') return false;
  const isNew = !hasStore(config.dataDir);
  const hasLists = await catalog.restore();
  const hasCapabilities = kept?.isComplete ?? false;
  if (kept && hasCapabilities) {
    await capabilities.attach(keptCapabilities({ file: kept, store: lateCapabilities(open), log }));
  }
  // Without a store there is nothing that the files could lack.
  if (isNew || (hasLists && hasCapabilities)) onKnown();
  return hasCapabilities;
}

/** The capabilities of a store that is still opening. */
function lateCapabilities(open: () => Promise<Store>): CapabilityStore {
  return {
    load: async () => (await open()).capabilities.load(),
    save: async (update) => (await open()).capabilities.save(update),
  };
}

/** Opens the store when it is first needed: loading its code would delay the first answers. */
function openOnce({ config, onLoaded, log }: ConnectOptions): () => Promise<Store> {
  let opening: Promise<Store> | undefined;
  const open = async () => {
    const { openStore } = await import('./open-store.js');
    onLoaded();
    return openStore(config, log);
  };
  return () => (opening ??= open());
}

async function attachExperience(
  { discovery, graph, workflows }: Engine,
  store: Store,
  { config, log }: ConnectOptions,
): Promise<void> {
  const { ranking } = store;
  const isShared = store.runLog !== undefined;
  // Before the past is read: what was learned from it is not learned again.
  await workflows.suggester.attach(ranking);
  await discovery.attach({
    ...store,
    ranking: isShared ? ranking : keptModels({ file: learnedFile(config.dataDir), ranking, log }),
    experience: graph.guard(store.experience),
  });
  await workflows.planning.attach(store.outputs);
}

/** What other daemons on the same database add comes in as they add it. */
function follow(
  { graph, discovery, capabilities }: Engine,
  store: Store,
  { known, log }: { readonly known: number; readonly log: Logger },
): readonly AsyncDisposable[] {
  const { sharedCapabilities: shared } = store;
  const remember = (...traces: Parameters<typeof discovery.remember>) =>
    discovery.remember(...traces);
  const executions = followOthers({ live: graph, store, known, remember, log });
  return [
    executions,
    ...(shared ? [followCapabilities({ capabilities, store: shared, log })] : []),
  ];
}

/** The file of capabilities, where the store is ours and could be lost. */
async function openKept({ config, log }: ConnectOptions): Promise<FileCapabilityStore | undefined> {
  if (config.file.database !== 'embedded') return undefined;
  try {
    return await openKeptCapabilities(config.dataDir, log);
  } catch (error) {
    log.error('capabilities are kept in the store alone', { error: messageOf(error) });
    return undefined;
  }
}
