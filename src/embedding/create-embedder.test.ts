import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { silentLogger } from '../core/index.js';
import { createEmbedder } from './create-embedder.js';
import { builtInModel } from './find-model.js';

const folder = await mkdtemp(join(tmpdir(), 'pml-models-'));
afterAll(() => rm(folder, { recursive: true }));
const logger = silentLogger;

async function makeModel(name: string): Promise<string> {
  const path = join(folder, name);
  const { model, vocabulary } = builtInModel();
  await mkdir(join(path, 'onnx'), { recursive: true });
  await symlink(model, join(path, 'onnx', 'model_quantized.onnx'));
  await symlink(vocabulary, join(path, 'vocab.txt'));
  return path;
}

test('none means no embedder', async () => {
  expect(await createEmbedder({ model: 'none', logger })).toBeUndefined();
});

test('a folder is a model whose space is named by its bytes', async () => {
  const path = await makeModel('mine');

  await using embedder = await createEmbedder({ model: path, logger });

  expect(embedder?.space).toEqual({ id: 'mine/c97dd4be5ef5', dimension: 384 });
  expect(embedder?.status.state).toBe('idle');
  expect(await embedder?.embed(['x'])).toHaveLength(1);
});

test('a folder that promises another dimension fails instead of mixing vectors', async () => {
  const path = await makeModel('liar');
  await writeFile(join(path, 'config.json'), '{"hidden_size": 12}');

  await using embedder = await createEmbedder({ model: path, logger });

  expect(embedder?.space.dimension).toBe(12);
  await expect(embedder?.embed(['x'])).rejects.toThrow('gives vectors of 384 numbers');
  expect(embedder?.status.state).toBe('failed');
});

test('a folder that is not there is an error that says what a model may be', async () => {
  const missing = createEmbedder({ model: join(folder, 'gte-smal'), logger });

  await expect(missing).rejects.toMatchObject({ code: 'EMBEDDING_FAILED' });
  await expect(missing).rejects.toThrow(/gte-smal.model\.onnx is missing\. A model is gte-small, /);
});

test('a file that is no model is an error that names it', async () => {
  const path = await makeModel('broken');
  await writeFile(join(path, 'model.onnx'), 'no model');
  await writeFile(join(path, 'config.json'), '{"hidden_size": 384}');

  await using embedder = await createEmbedder({ model: path, logger });

  await expect(embedder?.warmUp()).rejects.toThrow(join(path, 'model.onnx'));
});

test('bge-m3 without its package or files says what to do', async () => {
  await using embedder = await createEmbedder({
    model: 'bge-m3',
    logger,
    path: join(folder, 'nowhere'),
  });

  expect(embedder?.space).toEqual({ id: 'bge-m3/q8/1', dimension: 1024 });
  await expect(embedder?.embed(['x'])).rejects.toThrow(
    /npm install @huggingface\/transformers|give the path of a folder/,
  );
});
