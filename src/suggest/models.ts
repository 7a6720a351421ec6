import { CONFIDENCE_SIGNALS } from './confidence.js';
import { LINK_SIGNALS } from './link-signals.js';
import { MEMBER_SIGNALS } from './member-signals.js';
import { NEXT_SIGNALS } from './next-signals.js';

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
  bias: -0.45,
  likely: 0.86,
  likelyShare: 0.56,
  first: -0.59,
  similar: 0.37,
  surelySimilar: 0.53,
  nearest: 0.01,
  company: -0.75,
  required: 2.76,
  supplied: -1.87,
  apart: 0.41,
  size: -0.11,
};

const LINKS: Weights<typeof LINK_SIGNALS> = {
  bias: -1.01,
  flowed: 0.51,
  together: -0.04,
  before: 0.03,
  surelyBefore: -0.46,
  similarDid: 1.48,
  similarDidNot: -1.78,
  fits: 0.76,
  fitsWell: 1.74,
  mentionedAfter: 0.22,
  mentionedNext: 1.77,
  next: 0.31,
  after: -0.98,
  gives: 0.21,
  takes: 0.12,
  few: 1.35,
  sameServer: -1.01,
  onlyTwo: 0.8,
};

const NEXT: Weights<typeof NEXT_SIGNALS> = {
  likely: 1.1,
  likelyShare: -0.84,
  afterLog: -0.07,
  after: -0.7,
  similarNext: -0.12,
  similarHas: -2.06,
  similarRest: 0.64,
  sameServer: 1.76,
  anyServer: 1.34,
  done: 0.46,
  own: 1.34,
  later: 0.34,
  fed: 0.9,
  ready: 0.97,
  uses: 1.22,
  mentionedAfter: 1.62,
  mentionedNear: 1.44,
  likelyAlone: 1.08,
  verbs: 0.33,
  sameNouns: 0.4,
  sameVerb: -0.18,
};

const CONFIDENCE: Weights<typeof CONFIDENCE_SIGNALS> = {
  bias: -2,
  expected: 0.5,
  least: 0.5,
  rival: -0.3,
  agreement: 0,
  sureAgreement: 2,
  size: -0.5,
};

export const DEFAULT_MODELS: Models = {
  members: Float64Array.from(MEMBER_SIGNALS, (signal) => MEMBERS[signal]),
  links: Float64Array.from(LINK_SIGNALS, (signal) => LINKS[signal]),
  next: Float64Array.from(NEXT_SIGNALS, (signal) => NEXT[signal]),
  confidence: Float64Array.from(CONFIDENCE_SIGNALS, (signal) => CONFIDENCE[signal]),
};
