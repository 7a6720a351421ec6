import { CONFIDENCE_SIGNALS } from '../confidence.js';
import { LINK_SIGNALS } from '../links/link-signals.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { NEXT_SIGNALS } from '../next-signals.js';

/** How much each signal counts, one weight for each, in order. */
export interface Models {
  readonly members: Float64Array;
  readonly links: Float64Array;
  readonly next: Float64Array;
  /** Of how far a plan can be trusted. */
  readonly confidence: Float64Array;
}

type Weights<Signals extends readonly string[]> = Readonly<Record<Signals[number], number>>;

/** What weights are before own experience says otherwise: fitted to public sets of past requests. */
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
  bias: -2.32,
  flowed: 0.41,
  together: -0.01,
  before: -0.05,
  surelyBefore: -0.13,
  similarDid: 1.47,
  similarDidNot: -1.76,
  fits: 0.67,
  fitsWell: 1.72,
  mentionedAfter: 0.37,
  mentionedNext: 1.57,
  next: 0.54,
  after: -0.88,
  gives: 0.16,
  takes: 0.11,
  few: 1.04,
  sameServer: 0.33,
  onlyTwo: 0.7,
};

const NEXT: Weights<typeof NEXT_SIGNALS> = {
  likely: 1.12,
  likelyShare: -0.1,
  afterLog: 0.35,
  after: -0.23,
  similarNext: 0.66,
  similarHas: -0.87,
  similarRest: 1.12,
  sameServer: 2.08,
  anyServer: -0.39,
  done: -0.96,
  own: 1.69,
  later: -0.81,
  fed: -0.63,
  ready: 0.93,
  uses: -0.08,
  mentionedAfter: 1.23,
  mentionedNear: 1.42,
  likelyAlone: 0.31,
  verbs: 0.13,
  sameNouns: 0,
  sameVerb: -0.39,
  step: 0,
};

const CONFIDENCE: Weights<typeof CONFIDENCE_SIGNALS> = {
  bias: -0.57,
  expected: 0.99,
  // Says nothing that the members as a whole do not say.
  least: 0,
  rival: -0.12,
  agreement: 0.94,
  sureAgreement: 0.72,
  size: -2.07,
  // Of requests that were nearly the same, three of four wanted just the same tools.
  nearlyRepeated: -9,
};

/** Weights that are a decision of ours and not a matter of how often they were right. */
export const FIXED_MEMBERS: ReadonlySet<string> = new Set<(typeof MEMBER_SIGNALS)[number]>([
  'reliability',
  'instead',
  'replaced',
  'rejected',
  'repeated',
  'variant',
]);

export const DEFAULT_MODELS: Models = {
  members: Float64Array.from(MEMBER_SIGNALS, (signal) => MEMBERS[signal]),
  links: Float64Array.from(LINK_SIGNALS, (signal) => LINKS[signal]),
  next: Float64Array.from(NEXT_SIGNALS, (signal) => NEXT[signal]),
  confidence: Float64Array.from(CONFIDENCE_SIGNALS, (signal) => CONFIDENCE[signal]),
};
