import { TRACE_FEATURES } from '../../attention/index.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import {
  type Model,
  namedSignals,
  type Signal,
  SIGNALS,
  signalValues,
} from '../../ranking/index.js';

export function modelToJson({ weights, calibration, features }: Model): JsonObject {
  return {
    weights: namedSignals(weights),
    ...(calibration && { calibration: { ...calibration } }),
    ...(features && { features: [...features] }),
  };
}

/**
 * Undefined when it is of another version: weights of signals that no longer exist cannot be used,
 * and a signal that is new has no weight yet.
 */
export function modelFromJson(parameters: JsonObject): Model | undefined {
  const { weights, calibration, features } = parameters;
  if (!isJsonObject(weights) || !isJsonObject(calibration)) return undefined;
  const names = Object.keys(weights);
  const isOfNow = names.length === SIGNALS.length && SIGNALS.every((name) => name in weights);
  const { bias, score, lead } = calibration;
  if (!isOfNow || !isNumber(bias) || !isNumber(score) || !isNumber(lead)) return undefined;
  if (!Object.values(weights).every(isNumber)) return undefined;
  const traced = features === undefined ? undefined : readFeatures(features);
  if (features !== undefined && !traced) return undefined;
  return {
    weights: signalValues(weights as Record<Signal, number>),
    calibration: { bias, score, lead },
    ...(traced && { features: traced }),
  };
}

function readFeatures(value: JsonValue): Float64Array | undefined {
  if (!Array.isArray(value) || value.length !== TRACE_FEATURES.length) return undefined;
  return value.every(isNumber) ? Float64Array.from(value) : undefined;
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
