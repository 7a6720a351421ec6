import { namedFeatures } from '../../attention/index.js';
import { contentHash } from '../../tool-text/index.js';
import { CONFIDENCE_SIGNALS } from '../confidence.js';
import { HEAD_SIGNALS } from '../members/head-signals.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { NEXT_SIGNALS } from '../next/next-signals.js';
import { DEFAULT_MODELS, type Models } from './models.js';

type Named = Readonly<Record<string, number>>;

/** Weights as they are recorded with a decision. */
export interface DescribedModels {
  /** The same weights have the same id, whenever and wherever they were learned. */
  readonly id: string;
  /** Of members; those of the confidence after `confidence.`. */
  readonly plan: Named;
  readonly next: Named;
}

const ID_CHARACTERS = 8;

const described = new WeakMap<Models, DescribedModels>();

export function describeModels(models: Models): DescribedModels {
  const before = described.get(models);
  if (before) return before;
  const confidence = Object.entries(named(CONFIDENCE_SIGNALS, models.confidence));
  const plan = {
    ...namedMemberSignals(models.members),
    ...namedFeatures(models.features?.members),
    ...Object.fromEntries(confidence.map(([name, weight]) => [`confidence.${name}`, weight])),
  };
  const next = { ...named(NEXT_SIGNALS, models.next), ...namedFeatures(models.features?.next) };
  const own = { id: idOf(models), plan, next };
  described.set(models, own);
  return own;
}

/** What spoke for a member, by name. */
export function namedMemberSignals(values: Float64Array): Named {
  return named([...MEMBER_SIGNALS, ...HEAD_SIGNALS].slice(0, values.length), values);
}

function idOf(models: Models): string {
  const { members, links, next, confidence, curve, attention } = models;
  const weights = [members, links, next, confidence].map((one) => [...one]);
  const { features } = models;
  const traces = features ? [namedFeatures(features.members), namedFeatures(features.next)] : [];
  const heads = attention?.heads.map((head) => [head.name, [...head.weights], attention.borrows]);
  const text = JSON.stringify([...weights, curve, ...traces, ...(heads ?? [])]);
  const kind = models === DEFAULT_MODELS ? 'plan-default' : 'plan-learned';
  return `${kind}-${contentHash(text).slice(0, ID_CHARACTERS)}`;
}

function named(names: readonly string[], values: Float64Array): Named {
  return Object.fromEntries(names.map((name, at) => [name, values[at]!]));
}
