import { resolve } from 'node:path';

import { type EmbeddingSpace, type Logger, PmlError } from '../core/index.js';
import {
  assertModelFiles,
  builtInModel,
  folderModel,
  folderSpaceId,
  parseModel,
  promisedDimension,
} from './find-model.js';
import type { ModelSource } from './model-protocol.js';
import type { RuntimeChoice } from './onnx-runtime.js';
import { type LocalEmbedder, ProcessEmbedder } from './process-embedder.js';
import { RunningModel } from './running-model.js';
import { startModelProcess } from './start-model-process.js';

const GTE_SMALL: EmbeddingSpace = { id: 'gte-small/int8/1', dimension: 384 };
const BGE_M3: EmbeddingSpace = { id: 'bge-m3/q8/1', dimension: 1024 };

export interface EmbedderOptions {
  /** `gte-small`, `bge-m3`, `none`, or the path of a folder with a BERT-style model. */
  readonly model: string;
  readonly logger: Logger;
  /** Without a request for so long the model is unloaded. Default: never. */
  readonly idleMs?: number;
  /** Of gte-small and folders. Default: `auto`. */
  readonly runtime?: RuntimeChoice;
  /** Where bge-m3 is on this machine. */
  readonly path?: string;
  /** Whether bge-m3 may be fetched from the hub. Default: no. */
  readonly allowDownload?: boolean;
  /** Where a fetched model is kept. */
  readonly cacheDirectory?: string;
}

/**
 * The embedder of a configuration; undefined where it asks for none. Nothing is loaded yet, except a
 * folder that does not tell its dimension. Rejects with a `PmlError` when files are missing.
 */
export async function createEmbedder(options: EmbedderOptions): Promise<LocalEmbedder | undefined> {
  const { logger, runtime = 'auto', idleMs = 0 } = options;
  const choice = parseModel(options.model);
  switch (choice.kind) {
    case 'none':
      return undefined;
    case 'gte-small': {
      const files = builtInModel();
      assertModelFiles(files, 'Install pml again; in a clone of its sources, run `npm run build`.');
      return new ProcessEmbedder({
        space: GTE_SMALL,
        source: { kind: 'bert', files, runtime },
        logger,
        idleMs,
      });
    }
    case 'bge-m3':
      return new ProcessEmbedder({ space: BGE_M3, source: bgeM3(options), logger, idleMs });
    case 'folder': {
      const files = folderModel(choice.path);
      const source: ModelSource = { kind: 'bert', files, runtime };
      const id = await folderSpaceId(choice.path, files);
      const dimension =
        (await promisedDimension(choice.path)) ?? (await measureDimension(source, logger));
      return new ProcessEmbedder({ space: { id, dimension }, source, logger, idleMs });
    }
  }
}

function bgeM3({ path, allowDownload = false, cacheDirectory }: EmbedderOptions): ModelSource {
  return {
    kind: 'transformers',
    model: {
      name: path === undefined ? 'Xenova/bge-m3' : resolve(path),
      dimension: BGE_M3.dimension,
      allowDownload: allowDownload && path === undefined,
      ...(cacheDirectory === undefined ? {} : { cacheDirectory }),
    },
  };
}

async function measureDimension(source: ModelSource, logger: Logger): Promise<number> {
  const model = new RunningModel(startModelProcess(logger), source);
  try {
    return (await model.waitFor(model.loaded)).dimension;
  } finally {
    await model.end(new PmlError('EMBEDDING_FAILED', 'The dimension is known'));
  }
}
