import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { isAbsent, PmlError } from '../core/index.js';
import type { BertFiles } from './bert-encoder.js';

const MODEL_FILES = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx'];
/** How much of the file's hash goes into the name of the space. */
const HASH_LENGTH = 12;

export type ModelChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'gte-small' }
  | { readonly kind: 'bge-m3' }
  | { readonly kind: 'folder'; readonly path: string };

/** Whatever is not the name of a model is the path of a folder. */
export function parseModel(model: string): ModelChoice {
  if (model === 'none' || model === 'gte-small' || model === 'bge-m3') return { kind: model };
  return { kind: 'folder', path: resolve(model) };
}

/** The model in the package: beside the compiled code, which sources have not. */
export function builtInModel(): BertFiles {
  const folders = ['./gte-small', '../../dist/embedding/gte-small'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const folder = folders.find((path) => existsSync(join(path, 'model.onnx'))) ?? folders[0] ?? '';
  return { model: join(folder, 'model.onnx'), vocabulary: join(folder, 'vocab.txt') };
}

export function assertModelFiles(files: BertFiles, fix: string): void {
  for (const file of [files.model, files.vocabulary]) {
    if (existsSync(file)) continue;
    throw new PmlError('EMBEDDING_FAILED', `No embeddings: ${file} is missing. ${fix}`, {
      details: { file },
    });
  }
}

export function folderModel(path: string): BertFiles {
  const [first = ''] = MODEL_FILES;
  const file = MODEL_FILES.find((name) => existsSync(join(path, name))) ?? first;
  const files = { model: join(path, file), vocabulary: join(path, 'vocab.txt') };
  assertModelFiles(
    files,
    `A model is gte-small, bge-m3, none, or a folder with ${MODEL_FILES.join(' or ')}, and vocab.txt.`,
  );
  return files;
}

/** Names the bytes of a model, so that vectors of another file under the same name are not mixed in. */
export async function folderSpaceId(path: string, { model }: BertFiles): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(model), hash);
  return `${basename(path)}/${hash.digest('hex').slice(0, HASH_LENGTH)}`;
}

/** The length of the vectors, if the folder says so. */
export async function promisedDimension(path: string): Promise<number | undefined> {
  try {
    const config: unknown = JSON.parse(await readFile(join(path, 'config.json'), 'utf8'));
    const size = (config as { hidden_size?: unknown } | null)?.hidden_size;
    return typeof size === 'number' ? size : undefined;
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
