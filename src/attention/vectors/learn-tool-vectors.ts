import { seededRandom } from '../../core/index.js';
import { DotRows } from '../../search/index.js';
import {
  centred,
  centreOf,
  combineLogits,
  type FittedVectors,
  fitToolVectors,
} from './fit-tool-vectors.js';

/** A past request to learn from. */
export interface VectorRequest {
  /** Of the whole request first, then of each of its needs; as the embedder made them. */
  readonly vectors: readonly Float32Array[];
  /** The rows of the tools that served it. */
  readonly right: readonly number[];
  /** Requests that must not judge each other are in one fold. */
  readonly fold: number;
  /** Whether to tell how vectors that were learned from the other folds score tools for it. */
  readonly isHeldOut: boolean;
}

export interface VectorTask {
  readonly dimension: number;
  /** The frozen vectors, one row per tool. */
  readonly tools: Float32Array;
  /** Read once, one after the other. */
  readonly requests: Iterable<VectorRequest>;
  readonly folds: number;
  readonly seed: number;
  /** How strongly the loss decides what is replayed. Default 0.6; 0 replays all alike. */
  readonly alpha?: number;
}

export interface LearnedVectors extends FittedVectors {
  /** The middle of all requests, which is taken from every question. */
  readonly centre: Float32Array;
}

export interface VectorLesson {
  readonly learned: LearnedVectors;
  /** For each request held out, in order: the signal of every tool, in parts of `SIGNAL_PARTS`. */
  readonly heldOut: readonly Int16Array[];
}

/** Two bytes a signal: hundreds of requests times thousands of tools go from process to process. */
export const SIGNAL_PARTS = 256;

function inParts(signals: Float32Array): Int16Array {
  return Int16Array.from(signals, (signal) => Math.round(signal * SIGNAL_PARTS));
}

/** Learns as `learnToolVectors` does, wherever that is. Rejects if it may not or cannot. */
export type VectorTrainer = (task: VectorTask) => Promise<VectorLesson>;

/** How often a request is seen on average, within a budget of steps. */
const SEEN = 8;
const BATCH = 32;
const LEAST_STEPS = 200;
/** A step takes the longer the more tools there are: with thousands of them there are fewer. */
const MOST_STEPS = 900;
const STEPS_BY_TOOLS = 400_000;

/**
 * Learns vectors from all requests, and for each fold from the others alone: what those say of the
 * requests held out is what the vectors would have said if these had never been asked.
 */
export function learnToolVectors(task: VectorTask): VectorLesson {
  const requests = [...task.requests];
  const held = requests.filter(({ isHeldOut }) => isHeldOut);
  const heldOut: Int16Array[] = [];
  for (let fold = 0; fold < task.folds; fold++) {
    if (!held.some((request) => request.fold === fold)) continue;
    const others = requests.filter((request) => request.fold !== fold);
    const score = scorerOf(fitOnRequests(others, task), task);
    held.forEach((request, at) => {
      if (request.fold === fold) heldOut[at] = inParts(score(request.vectors));
    });
  }
  return { learned: fitOnRequests(requests, task), heldOut };
}

type FitTask = Omit<VectorTask, 'requests' | 'folds'>;

/** Learns from all of these requests. */
export function fitOnRequests(used: readonly VectorRequest[], task: FitTask): LearnedVectors {
  const { dimension, tools, seed, alpha } = task;
  const centre = centreOf(
    used.map(({ vectors }) => vectors[0]!),
    dimension,
  );
  const examples = used.map(({ vectors, right }) => ({
    vectors: vectors.map((vector) => centred(vector, centre)),
    right,
  }));
  const steps = Math.ceil((SEEN * examples.length) / BATCH);
  const byTools = Math.floor((STEPS_BY_TOOLS * dimension) / tools.length);
  const most = Math.min(MOST_STEPS, byTools);
  const fitted = fitToolVectors(examples, {
    tools,
    dimension,
    random: seededRandom(seed),
    steps: Math.min(most, Math.max(LEAST_STEPS, steps)),
    ...(alpha !== undefined && { alpha }),
  });
  return { ...fitted, centre };
}

/** Gives the signal of every tool for the vectors of a request. */
export function scorerOf(
  { residuals, biases, scale, centre }: LearnedVectors,
  { tools, dimension }: FitTask,
): (vectors: readonly Float32Array[]) => Float32Array {
  const rows = new DotRows(dimension, biases.length);
  for (let row = 0; row < biases.length; row++) {
    const [start, end] = [row * dimension, (row + 1) * dimension];
    const sum = tools.slice(start, end);
    for (let at = 0; at < dimension; at++) sum[at]! += residuals[start + at]!;
    rows.set(row, sum);
  }
  return (vectors) => {
    const products = vectors.map((vector) => rows.multiply(centred(vector, centre)).slice());
    return signalOf(combineLogits(products, { scale, biases }));
  };
}

/** So much less likely than the average tool is as unlikely as can be told. */
const LEAST_SIGNAL = -4;

/** How much likelier each tool is than the average tool, as a logarithm. */
export function signalOf(logits: Float64Array): Float32Array {
  let most = -Infinity;
  for (const logit of logits) if (logit > most) most = logit;
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - most);
  const average = most + Math.log(total / Math.max(1, logits.length));
  return Float32Array.from(logits, (logit) => Math.max(LEAST_SIGNAL, logit - average));
}
