import type { LoadedConfig } from '../../config/load.js';
import { messageOf, silentLogger } from '../../core/index.js';
import { openEmbedders } from '../open/open-embedders.js';

export type ModelProbe =
  | { readonly status: 'none' }
  | {
      readonly status: 'works';
      readonly space: string;
      readonly runtime: string;
      readonly loadMs: number;
      readonly embedMs: number;
    }
  | { readonly status: 'failed'; readonly error: string };

/** Loads the configured model and embeds one text, apart from any daemon. */
export async function probeModel(config: LoadedConfig, signal: AbortSignal): Promise<ModelProbe> {
  const { embedders, error } = await openEmbedders(config, {
    store: undefined,
    log: silentLogger,
  });
  const [embedder] = embedders;
  if (!embedder) return error === undefined ? { status: 'none' } : { status: 'failed', error };
  const began = performance.now();
  try {
    await embedder.embed(['load'], { signal });
    const loaded = performance.now();
    await embedder.embed(['read a file from the disk'], { signal });
    return {
      status: 'works',
      space: embedder.space.id,
      runtime: embedder.status.runtime ?? 'unknown',
      loadMs: Math.round(loaded - began),
      embedMs: Math.round(performance.now() - loaded),
    };
  } catch (problem) {
    return { status: 'failed', error: messageOf(problem) };
  } finally {
    await embedder[Symbol.asyncDispose]();
  }
}
