import type { LoadedConfig } from '../../config/load.js';
import { type Logger, PmlError } from '../../core/index.js';
import type { Discovery } from '../../discovery/index.js';
import type { Store } from '../../store/index.js';

interface ModelOptions {
  /** Read when the model is opened: it may have changed meanwhile. */
  readonly config: () => LoadedConfig;
  readonly store: Store | undefined;
  readonly log: Logger;
}

/** After a change of the model, the one before serves until the new one has caught up. */
export async function searchByMeaning(discovery: Discovery, options: ModelOptions): Promise<void> {
  const { openEmbedders } = await import('./open-embedders.js');
  const { embedders, error } = await openEmbedders(options.config(), options);
  if (embedders.length === 0) await discovery.useWordsOnly(error);
  for (const embedder of embedders) await discovery.use(embedder);
}

/** Opens the model again and rebuilds the index. The old index serves until the new one is complete. */
export async function reindex(
  discovery: Discovery,
  { config, store, log, forget }: ModelOptions & { readonly forget: boolean },
): Promise<void> {
  const { openEmbedders } = await import('./open-embedders.js');
  const opened = await openEmbedders(config(), { store: undefined, log });
  const [embedder] = opened.embedders;
  if (!embedder) throw new PmlError('EMBEDDING_FAILED', opened.error ?? 'There is no model');
  try {
    await embedder.warmUp();
    if (forget) await store?.embeddings.removeSpace(embedder.space.id);
  } catch (error) {
    await embedder[Symbol.asyncDispose]();
    throw error;
  }
  await discovery.use(embedder);
}
