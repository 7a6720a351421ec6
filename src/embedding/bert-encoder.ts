import { readFile } from 'node:fs/promises';

import { type Encoder, normalizeVector } from './encoder.js';
import {
  loadOnnxModel,
  type OnnxModel,
  type OnnxTensor,
  type RuntimeChoice,
} from './onnx-runtime.js';
import { parseVocabulary, wordPieceIds, type Vocabulary } from './wordpiece.js';

/**
 * About as much as 600 characters of a description, and what a query may have to wait for. The
 * model could read four times as much.
 */
const MAX_TOKENS = 128;

export interface BertFiles {
  readonly model: string;
  readonly vocabulary: string;
}

/**
 * Loads a BERT-style model.
 *
 * It reads one text at a time: quantisation takes its range from everything in a batch, padding
 * included, so a vector would depend on the texts it happened to be computed with (measured: a
 * cosine of .994 to the same text alone), and a batch saves time for very short texts only.
 */
export async function loadBertEncoder(files: BertFiles, runtime: RuntimeChoice): Promise<Encoder> {
  const vocabulary = parseVocabulary(await readFile(files.vocabulary, 'utf8'));
  const model = await loadOnnxModel(files.model, runtime);
  const encode = (text: string) => encodeText(text, vocabulary, model);
  // The first run is slow, and tells the dimension.
  const { length: dimension } = await encode('ready');
  return {
    runtime: model.runtime,
    ...(model.fallbackReason === undefined ? {} : { fallbackReason: model.fallbackReason }),
    dimension,
    encode,
  };
}

async function encodeText(
  text: string,
  vocabulary: Vocabulary,
  { session, createTensor }: OnnxModel,
): Promise<Float32Array> {
  const ids = wordPieceIds(text, vocabulary, MAX_TOKENS);
  const dims = [1, ids.length];
  const known: Readonly<Record<string, BigInt64Array>> = {
    input_ids: BigInt64Array.from(ids, BigInt),
    attention_mask: new BigInt64Array(ids.length).fill(1n),
    token_type_ids: new BigInt64Array(ids.length),
  };
  const feeds: Record<string, OnnxTensor> = {};
  for (const name of session.inputNames) {
    const data = known[name];
    if (data === undefined) throw new Error(`not a BERT model: it asks for ${name}`);
    feeds[name] = createTensor(data, dims);
  }
  const results = await session.run(feeds);
  const output = results['last_hidden_state'] ?? results[session.outputNames[0] ?? ''];
  return normalizeVector(averageTokens(output, ids.length));
}

/** Mean over the tokens. There is no padding, so every token counts. */
function averageTokens(output: OnnxTensor | undefined, tokens: number): Float32Array {
  const dimension = output?.dims[2];
  if (!(output?.data instanceof Float32Array) || dimension === undefined) {
    throw new Error('not a BERT model: it gives no vector for each token');
  }
  const sum = new Float32Array(dimension);
  for (let at = 0; at < tokens * dimension; at += 1) {
    const column = at % dimension;
    sum[column] = (sum[column] ?? 0) + (output.data[at] ?? 0);
  }
  return sum;
}
