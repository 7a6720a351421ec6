import { HEAD_NAMES, type HeadName, TRACE_FEATURES } from '../../attention/index.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import { contentHash } from '../../tool-text/index.js';
import { CONFIDENCE_SIGNALS } from '../confidence.js';
import { LINK_SIGNALS } from '../links/link-signals.js';
import { HEAD_SIGNALS } from '../members/head-signals.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { NEXT_SIGNALS } from '../next/next-signals.js';
import type { ConfidenceCurve } from './confidence-curve.js';
import type { Models } from './models.js';

/** Weights mean something only for the signals that they were learned for, in the same order. */
const SIGNALS = contentHash(
  JSON.stringify([
    MEMBER_SIGNALS,
    HEAD_SIGNALS,
    LINK_SIGNALS,
    NEXT_SIGNALS,
    CONFIDENCE_SIGNALS,
    TRACE_FEATURES,
  ]),
);

interface Space {
  /** The embedding space of the vectors that the signals came from; none if words alone count. */
  readonly space: string | undefined;
  /** How many weights a head has: one for each signal that it attends by. */
  readonly headWeights: number;
}

export function packModels(models: Models, { space, headWeights }: Space): JsonObject {
  const { members, links, next, confidence, curve, features, attention } = models;
  return {
    signals: SIGNALS,
    headWeights,
    ...(space !== undefined && { space }),
    members: [...members],
    links: [...links],
    next: [...next],
    confidence: [...confidence],
    // Plain numbers by name.
    curve: curve as unknown as JsonValue,
    ...(features && {
      features: {
        ...(features.members && { members: [...features.members] }),
        ...(features.next && { next: [...features.next] }),
      },
    }),
    ...(attention && {
      attention: {
        borrows: attention.borrows,
        heads: attention.heads.map(({ name, weights }) => ({ name, weights: [...weights] })),
      },
    }),
  };
}

/** Undefined if the weights are of other signals, or of an embedding space that is no longer used. */
export function unpackModels(
  stored: JsonObject,
  { space, headWeights }: Space,
): Models | undefined {
  const { signals, members, links, next, confidence, curve, features, attention } = stored;
  if (signals !== SIGNALS || stored['headWeights'] !== headWeights) return undefined;
  if (space !== undefined && stored['space'] !== space) return undefined;
  const heads = isJsonObject(attention) ? readHeads(attention) : undefined;
  const ofFeatures = isJsonObject(features) ? features : undefined;
  return {
    members: numbers(members),
    links: numbers(links),
    next: numbers(next),
    confidence: numbers(confidence),
    // Of our own writing, and of these signals.
    curve: (curve ?? []) as unknown as ConfidenceCurve,
    ...(ofFeatures && {
      features: {
        ...(ofFeatures['members'] && { members: numbers(ofFeatures['members']) }),
        ...(ofFeatures['next'] && { next: numbers(ofFeatures['next']) }),
      },
    }),
    ...(heads && { attention: heads }),
  };
}

function readHeads({ heads, borrows }: JsonObject): Models['attention'] {
  const known: readonly string[] = HEAD_NAMES;
  return {
    borrows: borrows === true,
    // Of our own writing.
    heads: (heads as unknown as readonly { name: HeadName; weights: JsonValue }[])
      .filter(({ name }) => known.includes(name))
      .map(({ name, weights }) => ({ name, weights: numbers(weights) })),
  };
}

function numbers(values: JsonValue | undefined): Float64Array {
  return Float64Array.from(Array.isArray(values) ? values.map(Number) : []);
}
