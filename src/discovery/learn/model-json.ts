import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import {
  type Model,
  namedSignals,
  type Signal,
  SIGNALS,
  signalValues,
} from '../../ranking/index.js';

export function modelToJson({ weights, calibration }: Model): JsonObject {
  return {
    weights: namedSignals(weights),
    ...(calibration && { calibration: { ...calibration } }),
  };
}

/**
 * Undefined when it is of another version: weights of signals that no longer exist cannot be used,
 * and a signal that is new has no weight yet.
 */
export function modelFromJson({ weights, calibration }: JsonObject): Model | undefined {
  if (!isJsonObject(weights) || !isJsonObject(calibration)) return undefined;
  const names = Object.keys(weights);
  const isOfNow = names.length === SIGNALS.length && SIGNALS.every((name) => name in weights);
  const { bias, score, lead } = calibration;
  if (!isOfNow || !isNumber(bias) || !isNumber(score) || !isNumber(lead)) return undefined;
  if (!Object.values(weights).every(isNumber)) return undefined;
  return {
    weights: signalValues(weights as Record<Signal, number>),
    calibration: { bias, score, lead },
  };
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
