/**
 * Reads what learned parts say about themselves. It is stored with the models, so it may be of an
 * older build: what is missing or has another form is left out.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import type { ReliabilityCurve } from '../../learning/index.js';
import type { GateRow } from '../contract/reliability.js';

/** The field of something that may be no object at all. */
export function namedField(value: unknown, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Verdicts of `comparePaired`, each with the name of its candidate. */
export function readGates(value: unknown): readonly GateRow[] {
  return Array.isArray(value) ? value.flatMap((one) => readGate(one) ?? []) : [];
}

function readGate(value: unknown): GateRow | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, isBetter, gain, error, answers, groups, why } = value;
  const isWhole = typeof name === 'string' && typeof isBetter === 'boolean' && isNumber(gain);
  if (!isWhole || !isNumber(answers) || !isNumber(groups) || typeof why !== 'string') {
    return undefined;
  }
  // An endless error is null once it is JSON.
  return { name, isBetter, gain, ...(isNumber(error) && { error }), answers, groups, why };
}

export function readCurve(value: unknown): ReliabilityCurve | undefined {
  if (!isJsonObject(value)) return undefined;
  const { bins, calibrationError, count, shareRight } = value;
  if (!isNumber(calibrationError) || !isNumber(count) || !isNumber(shareRight)) return undefined;
  const read = Array.isArray(bins) ? bins.map(readBin) : [];
  const known = read.flatMap((bin) => bin ?? []);
  return known.length === read.length
    ? { bins: known, calibrationError, count, shareRight }
    : undefined;
}

function readBin(value: JsonValue): ReliabilityCurve['bins'][number] | undefined {
  if (!isJsonObject(value)) return undefined;
  const { from, to, count, meanConfidence, shareRight } = value satisfies JsonObject;
  const isWhole = isNumber(from) && isNumber(to) && isNumber(count);
  if (!isWhole || !isNumber(meanConfidence) || !isNumber(shareRight)) return undefined;
  return { from, to, count, meanConfidence, shareRight };
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
