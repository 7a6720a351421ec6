import { messageOf } from '../core/index.js';
import { type Encoder, normalizeVector } from './encoder.js';

export interface TransformersModel {
  /** A model folder, or its name on the hub. */
  readonly name: string;
  readonly dimension: number;
  readonly allowDownload: boolean;
  /** Where downloads are kept. */
  readonly cacheDirectory?: string;
}

interface ExtractOptions {
  readonly pooling: 'cls';
  readonly normalize: boolean;
}

/** The part of `@huggingface/transformers` that is used. It is optional, so its types are not there. */
export interface TransformersModule {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; cacheDir?: string | null };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { readonly dtype: 'q8'; readonly local_files_only: boolean },
  ): Promise<
    (text: string, options: ExtractOptions) => Promise<{ readonly data: ArrayLike<number> }>
  >;
}

const PACKAGE = '@huggingface/transformers';

export async function loadTransformersEncoder(
  { name, dimension, allowDownload, cacheDirectory }: TransformersModel,
  importModule: () => Promise<TransformersModule> = importTransformers,
): Promise<Encoder> {
  const transformers = await importOrExplain(importModule);
  const { env } = transformers;
  env.allowLocalModels = true;
  env.allowRemoteModels = allowDownload;
  if (cacheDirectory !== undefined) env.cacheDir = cacheDirectory;
  const extract = await transformers
    .pipeline('feature-extraction', name, { dtype: 'q8', local_files_only: !allowDownload })
    .catch((error: unknown) => {
      throw new Error(explainMissingModel(name, allowDownload, error), { cause: error });
    });
  return {
    runtime: PACKAGE,
    dimension,
    async encode(text) {
      const { data } = await extract(text, { pooling: 'cls', normalize: true });
      return normalizeVector(Float32Array.from(data));
    },
  };
}

async function importTransformers(): Promise<TransformersModule> {
  // Not spelled out in the import: the compiler would look for its types.
  const name: string = PACKAGE;
  return (await import(name)) as TransformersModule;
}

async function importOrExplain(
  importModule: () => Promise<TransformersModule>,
): Promise<TransformersModule> {
  try {
    return await importModule();
  } catch (error) {
    throw new Error(
      `bge-m3 needs the package ${PACKAGE}: run \`npm install ${PACKAGE}\` where pml is installed (${messageOf(error)})`,
      { cause: error },
    );
  }
}

function explainMissingModel(name: string, allowDownload: boolean, error: unknown): string {
  const fix = allowDownload
    ? 'check the connection to huggingface.co, or give the path of a folder that holds it'
    : 'give the path of a folder that holds it (config.json, tokenizer.json, onnx/model_quantized.onnx), or allow its download';
  return `the model ${name} could not be loaded: ${fix} (${messageOf(error)})`;
}
