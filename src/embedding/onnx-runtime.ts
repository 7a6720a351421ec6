import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type * as portable from 'onnxruntime-web/wasm';

import { messageOf } from '../core/index.js';

/** `native`: fast, where the user has installed it. `wasm`: comes with PML. `auto`: the first that loads. */
export type RuntimeChoice = 'auto' | 'native' | 'wasm';

export interface OnnxTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

/** The part of both runtimes that is used; `onnxruntime-node` comes without types. */
interface Onnx {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: object): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

export interface OnnxModel {
  readonly runtime: string;
  readonly fallbackReason?: string;
  readonly session: OnnxSession;
  readonly createTensor: (data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
}

/** More threads would take cores from the servers, and gain little for one short text. */
const SESSION_OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1 };

export async function loadOnnxModel(path: string, choice: RuntimeChoice): Promise<OnnxModel> {
  if (choice === 'native') return loadNative(path);
  if (choice === 'wasm') return loadWasm(path);
  let reason: string;
  try {
    return await loadNative(path);
  } catch (error) {
    reason = messageOf(error);
  }
  try {
    return { ...(await loadWasm(path)), fallbackReason: reason };
  } catch (error) {
    throw new Error(
      `neither runtime loads ${path}: onnxruntime-node: ${reason}; onnxruntime-web: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

async function loadNative(path: string): Promise<OnnxModel> {
  const require = createRequire(import.meta.url);
  const onnx = require('onnxruntime-node') as Onnx;
  const session = await onnx.InferenceSession.create(path, SESSION_OPTIONS);
  return asModel('onnxruntime-node', onnx, session);
}

/** Two files of `onnxruntime-web`, which the build copies: all of it would be 141 MB. */
type Portable = typeof portable;

/** Beside the compiled code, which sources have not. */
function findPortableRuntime(): URL {
  const beside = new URL('./onnx/', import.meta.url);
  return existsSync(beside) ? beside : new URL('../../dist/embedding/onnx/', import.meta.url);
}

async function loadWasm(path: string): Promise<OnnxModel> {
  const folder = findPortableRuntime();
  const onnx = (await import(new URL('ort.mjs', folder).href)) as Portable;
  const binary = await readFile(new URL('ort.wasm', folder));
  onnx.env.wasm.numThreads = 1;
  // As bytes, because it would be fetched otherwise, which Node does not do for files.
  onnx.env.wasm.wasmBinary = binary;
  const session = await onnx.InferenceSession.create(await readFile(path), {
    executionProviders: ['wasm'],
  });
  // Both runtimes have the same interface, each in types of its own.
  return asModel('onnxruntime-web', onnx as unknown as Onnx, session as unknown as OnnxSession);
}

function asModel(runtime: string, { Tensor }: Onnx, session: OnnxSession): OnnxModel {
  return { runtime, session, createTensor: (data, dims) => new Tensor('int64', data, dims) };
}
