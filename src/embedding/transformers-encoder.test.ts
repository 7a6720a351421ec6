import { expect, test } from 'vitest';

import { loadTransformersEncoder, type TransformersModule } from './transformers-encoder.js';

const model = { name: '/models/bge-m3', dimension: 2, allowDownload: false };

function fakeTransformers(calls: unknown[]): TransformersModule {
  return {
    env: { allowLocalModels: false, allowRemoteModels: true },
    pipeline: (...call) => {
      calls.push(call);
      return Promise.resolve((...extract) => {
        calls.push(extract);
        return Promise.resolve({ data: [3, 4] });
      });
    },
  };
}

test('the encoder asks for CLS vectors of the local 8-bit model and scales them to length 1', async () => {
  const calls: unknown[] = [];
  const transformers = fakeTransformers(calls);

  const encoder = await loadTransformersEncoder({ ...model, cacheDirectory: '/cache' }, () =>
    Promise.resolve(transformers),
  );
  const vector = await encoder.encode('hello');

  expect(vector).toEqual(Float32Array.of(0.6, 0.8));
  expect(encoder.dimension).toBe(2);
  expect(transformers.env).toEqual({
    allowLocalModels: true,
    allowRemoteModels: false,
    cacheDir: '/cache',
  });
  expect(calls).toEqual([
    ['feature-extraction', '/models/bge-m3', { dtype: 'q8', local_files_only: true }],
    ['hello', { pooling: 'cls', normalize: true }],
  ]);
});

test('the error for a missing package names the command that installs it', async () => {
  const missing = () => Promise.reject(new Error('Cannot find package'));

  await expect(loadTransformersEncoder(model, missing)).rejects.toThrow(
    'npm install @huggingface/transformers',
  );
});

test.each([
  [false, 'allow its download'],
  [true, 'check the connection'],
])('missing model error says what to set (download allowed: %s)', async (allowDownload, fix) => {
  const transformers: TransformersModule = {
    ...fakeTransformers([]),
    pipeline: () => Promise.reject(new Error('no such file')),
  };

  const loading = loadTransformersEncoder({ ...model, allowDownload }, () =>
    Promise.resolve(transformers),
  );

  await expect(loading).rejects.toThrow(fix);
  await expect(loading).rejects.toThrow('/models/bge-m3');
});
