import type { VectorScorer } from '../../attention/index.js';
import { isJsonObject, type JsonObject } from '../../core/index.js';
import { LEAST_FOR_VECTORS } from './vector-lesson.js';

/** Whether learned vectors of tools take part in the ranking, and why. */
export interface VectorsStatus {
  readonly isInUse: boolean;
  /** Tools of which something was learned, and whose text is still what it was. */
  readonly tools: number;
  /** Remembered requests when vectors were last learned. */
  readonly requests: number;
  readonly why: string;
  /** What they brought on requests held out, with its standard error, and how many those were. */
  readonly gain?: number;
  readonly error?: number;
  readonly answers?: number;
}

interface Known {
  readonly scorer: VectorScorer | undefined;
  /** Of the model in use. */
  readonly metric: JsonObject;
  readonly failure: string | undefined;
  readonly remembered: number;
  readonly hasTrainer: boolean;
}

export function vectorsStatus(known: Known): VectorsStatus {
  const { scorer, metric, failure } = known;
  const gate = gateOf(metric);
  const requests = metric['vectorsFrom'];
  return {
    isInUse: scorer !== undefined,
    tools: scorer?.size ?? 0,
    requests: typeof requests === 'number' ? requests : 0,
    why: failure ?? gate?.why ?? whyNot(known),
    ...(gate && { gain: gate.gain, error: gate.error, answers: gate.answers }),
  };
}

function whyNot({ remembered, hasTrainer }: Known): string {
  return hasTrainer && remembered < LEAST_FOR_VECTORS
    ? `${remembered} of ${LEAST_FOR_VECTORS} remembered requests that learning needs`
    : 'nothing measured yet';
}

interface StoredGate {
  readonly why: string;
  readonly gain: number;
  readonly error: number;
  readonly answers: number;
}

/** Of a build before, or before anything was measured, there is none. */
function gateOf({ gates }: JsonObject): StoredGate | undefined {
  const all = Array.isArray(gates) ? gates.filter(isJsonObject) : [];
  const own = all.find(({ name }) => name === 'vectors');
  if (!own) return undefined;
  const { why, gain, error, answers } = own;
  const isWhole = typeof why === 'string' && typeof gain === 'number';
  if (!isWhole || typeof error !== 'number' || typeof answers !== 'number') return undefined;
  return { why, gain, error, answers };
}
