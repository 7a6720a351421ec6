import type { AttentionModel } from '../../attention/index.js';
import { CONFIDENCE_SIGNALS } from '../confidence.js';
import type { FeatureWeights } from '../feature-scores.js';
import { LINK_SIGNALS } from '../links/link-signals.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { NEXT_SIGNALS } from '../next/next-signals.js';
import type { ConfidenceCurve } from './confidence-curve.js';

/** The weights of all signals, in the order of the signals. */
export interface Models {
  /** One for each of `MEMBER_SIGNALS`, and then for the signals of the active heads. */
  readonly members: Float64Array;
  readonly links: Float64Array;
  readonly next: Float64Array;
  /** Weights for the confidence in a plan. */
  readonly confidence: Float64Array;
  /** Corrects the confidence in a plan by how often such claims came true. */
  readonly curve: ConfidenceCurve;
  /** Undefined if trace features did not prove useful. */
  readonly features?: FeatureWeights;
  /** Undefined while no head is active. */
  readonly attention?: AttentionModel;
}

/** The models that PML learns independently of each other. */
export type ModelName = Exclude<keyof Models, 'curve' | 'features' | 'attention'>;

/** The models whose answers are compared with what was done. */
export type JudgedModel = Exclude<ModelName, 'confidence'>;

type Weights<Signals extends readonly string[]> = Readonly<Record<Signals[number], number>>;
type SomeWeights<Signals extends readonly string[]> = Partial<Weights<Signals>>;

/** Weights before PML has own experience: fitted to public sets of past requests. */
const MEMBERS: Weights<typeof MEMBER_SIGNALS> = {
  bias: -0.38,
  likely: 0.95,
  likelyShare: 0.1,
  first: 0.18,
  similar: 0.3,
  surelySimilar: 0.25,
  nearest: 0.01,
  company: -0.02,
  required: 0.68,
  supplied: -1.03,
  apart: -0.23,
  size: 0.16,
  reliability: 4,
  instead: 3,
  replaced: -20,
  rejected: -3,
  repeated: 9,
  rivals: -0.3,
  named: 2.5,
  outnamed: -2.5,
  variant: -4,
};

const LINKS: Weights<typeof LINK_SIGNALS> = {
  bias: -1.44,
  flowed: 0.18,
  together: 0.05,
  before: 0.19,
  surelyBefore: 0.25,
  similarDid: 1.15,
  similarDidNot: -1.24,
  fits: 1.58,
  fitsWell: 1.89,
  mentionedAfter: 0.34,
  mentionedNext: 1.17,
  next: 0.13,
  after: -0.41,
  gives: -0.1,
  takes: -0.01,
  few: -0.13,
  sameServer: -0.24,
  onlyTwo: 0.7,
};

/**
 * The mean of two fits, one without livemcp and one without toolathlon. What searches of the session
 * listed is in one of these sets only: its weights are round numbers.
 */
const NEXT: Weights<typeof NEXT_SIGNALS> = {
  follows: 0.45,
  likely: 0.32,
  likelyAlone: 0,
  similarNext: 0.6,
  similarRest: 0.6,
  sameServer: 0.43,
  anyServer: 0.95,
  done: -0.22,
  mentionedAfter: 0,
  mentionedNear: 0,
  returns: 0,
  often: 0.4,
  beforeLast: 0.16,
  kind: 0.26,
  lent: 0.08,
  failedLike: 0.13,
  failedServer: 0.16,
  inResult: 0.05,
  inArguments: 0.14,
  takesResult: 0.36,
  unserved: 0.16,
  offered: 1,
  offeredUnused: 1,
  offeredLast: 1,
  // Whether plans tell the next step depends on the requests: only own experience can tell.
  member: 0,
  turn: 0,
};

/** The most frequent followers, here and in past runs: the simplest prediction of a next step. */
const FOLLOWERS: SomeWeights<typeof NEXT_SIGNALS> = {
  follows: 1,
  likely: 0.1,
  likelyAlone: 1,
  anyServer: 0.5,
};

const CONFIDENCE: Weights<typeof CONFIDENCE_SIGNALS> = {
  bias: 0.79,
  whole: 0.68,
  agreement: 0.27,
  // Fixed by design: a user who asks for a change must not get a plan without it as right.
  undone: -3,
  // The success of a path says little about whether it is wanted: only own experience can tell.
  success: 0,
};

/** Weights that are fixed by design and do not depend on how often they were right. */
export const FIXED_MEMBERS: ReadonlySet<string> = new Set<(typeof MEMBER_SIGNALS)[number]>([
  'reliability',
  'instead',
  'replaced',
  'rejected',
  'repeated',
  'variant',
]);

export const FIXED_CONFIDENCE: ReadonlySet<string> = new Set<(typeof CONFIDENCE_SIGNALS)[number]>([
  'undone',
]);

export const FOLLOWER_WEIGHTS: Float64Array = Float64Array.from(
  NEXT_SIGNALS,
  (signal) => FOLLOWERS[signal] ?? 0,
);

export const DEFAULT_MODELS: Models = {
  members: Float64Array.from(MEMBER_SIGNALS, (signal) => MEMBERS[signal]),
  links: Float64Array.from(LINK_SIGNALS, (signal) => LINKS[signal]),
  next: Float64Array.from(NEXT_SIGNALS, (signal) => NEXT[signal]),
  confidence: Float64Array.from(CONFIDENCE_SIGNALS, (signal) => CONFIDENCE[signal]),
  curve: [],
};
