import { dirname, resolve } from 'node:path';

import type { LoadedConfig } from '../../config/load.js';
import { type Logger, messageOf } from '../../core/index.js';
import type { LoadableEmbedder } from '../../discovery/index.js';
import { createEmbedder, type EmbedderOptions } from '../../embedding/index.js';
import type { Store } from '../../store/index.js';

const BUILT_IN = 'gte-small';
/** What is not a name of ours is a folder, given relative to the configuration. */
const NAMES: ReadonlySet<string> = new Set([BUILT_IN, 'bge-m3', 'none']);

interface OpenOptions {
  readonly store: Store | undefined;
  readonly log: Logger;
}

export interface OpenEmbedders {
  /** To use one after the other, the configured one last. */
  readonly embedders: readonly LoadableEmbedder[];
  /** Why there is none, unless none is wanted. */
  readonly error?: string;
}

/**
 * Where another model is configured now but only the built-in one has vectors, the built-in one
 * serves until the other has caught up.
 */
export async function openEmbedders(
  config: LoadedConfig,
  { store, log }: OpenOptions,
): Promise<OpenEmbedders> {
  try {
    const wanted = await createEmbedder(embedderOptions(config, log));
    if (!wanted) return { embedders: [] };
    const former = await formerEmbedder(wanted, { store, log });
    return { embedders: former ? [former, wanted] : [wanted] };
  } catch (error) {
    log.warn('search by words only: the model cannot be used', { error: messageOf(error) });
    return { embedders: [], error: messageOf(error) };
  }
}

function embedderOptions(config: LoadedConfig, logger: Logger): EmbedderOptions {
  const { model, path, allowDownload, idleMs } = config.file.embedding;
  const base = dirname(config.path);
  return {
    model: NAMES.has(model) ? model : resolve(base, model),
    ...(path !== undefined && { path: resolve(base, path) }),
    allowDownload,
    idleMs,
    cacheDirectory: resolve(config.dataDir, 'models'),
    logger,
  };
}

async function formerEmbedder(
  { space }: LoadableEmbedder,
  { store, log }: OpenOptions,
): Promise<LoadableEmbedder | undefined> {
  const spaces = (await store?.embeddings.spaces()) ?? [];
  const hasVectors = (id: string) => spaces.some((one) => one.id === id && one.vectors > 0);
  if (hasVectors(space.id)) return undefined;
  const former = await createEmbedder({ model: BUILT_IN, logger: log });
  return former && former.space.id !== space.id && hasVectors(former.space.id) ? former : undefined;
}
