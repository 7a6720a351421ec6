import { isCapability, type ToolId } from '../../core/index.js';
import { type KnowledgeGraph, reliabilityOf, transitiveReliability } from '../../graph/index.js';
import { logOdds } from '../../learning/index.js';
import type { Evidence } from '../evidence.js';
import { mostOften } from '../past/most-often.js';
import { headSignalsOf, headViews, votedTools } from './head-signals.js';
import { rivalsAmong } from './rivals.js';

/** What may speak for a tool being part of what an intent wants done. In this order. */
export const MEMBER_SIGNALS = [
  'bias',
  /** That the intent wants it, as log-odds. */
  'likely',
  /** The same, of the likeliest. */
  'likelyShare',
  /** Whether it is the likeliest. */
  'first',
  /** The share of like runs it was in, and the same as far as they can be trusted. */
  'similar',
  'surelySimilar',
  /** Whether it was in the run most alike, as far as that can be trusted. */
  'nearest',
  /** How likely it is called with the likeliest tools. */
  'company',
  /** How likely one of the likely tools takes a value of it. */
  'required',
  /** How likely it takes a value of one of the likely tools. */
  'supplied',
  /** How often it is called without the likely tool it is called with most. */
  'apart',
  /** How many tools like runs called. */
  'size',
  /** Below 0 when it, or something it is made of, fails more often than usual. */
  'reliability',
  /** How likely it does what a likely tool that fails was called for. */
  'instead',
  /** How much more often than usual it fails, as far as like runs did without it. */
  'replaced',
  /** How often people rejected it, against how often it was called. */
  'rejected',
  /** Above 0 when it served the very same request before, below when others did without it. */
  'repeated',
  /** What others that would do the same say against it or for it: see `Rivalry`. */
  'rivals',
  'named',
  'outnamed',
  'variant',
] as const;

export interface MemberCandidate {
  readonly tool: ToolId;
  /** One number for each of `MEMBER_SIGNALS`, and then those of the heads that are in use. */
  readonly signals: Float64Array;
}

const LIKELIEST = 40;
/** So many of the likeliest bring in what belongs to them. */
const HOSTS = 8;
/** Each of them so many: some tools give values to nearly all others. */
const BELONGING = 20;
const LIKE_RUNS = 10;
const DOUBT = 1;
/** What nothing is known of is taken to work this often. */
const USUAL_RELIABILITY = 0.9;
const CHANCES = { least: 0.002, most: 0.995 };

/** The tools that may be part of what an intent wants, with what speaks for each. */
export function memberSignals(evidence: Evidence): readonly MemberCandidate[] {
  const { graph, pairs, plans, similar, trust, repeated, toolOf } = evidence;
  const likely = evidence.likely.slice(0, LIKELIEST);
  const chance = new Map(likely.map(({ tool, probability }) => [tool, probability]));
  const hosts = likely.slice(0, HOSTS);
  const inSimilar = new Map<ToolId, number>();
  let size = 0;
  let inAll = 0;
  for (const { plan, share } of similar) {
    inAll += share;
    size += share * plan.tools.length;
    for (const tool of plan.tools) inSimilar.set(tool, (inSimilar.get(tool) ?? 0) + share);
  }
  const views = headViews(evidence);
  const headsOf = headSignalsOf(views);
  const candidates = new Set<ToolId>(
    [
      ...chance.keys(),
      ...similar.slice(0, LIKE_RUNS).flatMap(({ plan }) => plan.tools),
      ...hosts.flatMap(({ tool }) => belonging(graph, tool)),
      ...(repeated?.tools ?? []),
      ...votedTools(views),
    ].filter((tool) => toolOf(tool) !== undefined),
  );
  const most = likely[0]?.probability ?? 0;
  const nearest = new Set(similar[0]?.plan.tools);
  const runsOf = (tool: ToolId) => graph.node(tool)?.runs ?? 0;
  const rivalryOf = rivalsAmong(candidates, evidence, { likely, inSimilar });
  return [...candidates].map((tool) => {
    const probability = chance.get(tool) ?? 0;
    const others = hosts.filter((host) => host.tool !== tool);
    const together = others.map((host) => pairs.pair(host.tool, tool).together);
    const company = others.map(
      (host, place) => (host.probability * together[place]!) / (runsOf(host.tool) + DOUBT),
    );
    const runs = runsOf(tool);
    // Tools are made of nothing, and those many others take values of are slow to look through.
    const reliability = (isCapability(tool) ? transitiveReliability : reliabilityOf)(graph, tool);
    const values: Record<(typeof MEMBER_SIGNALS)[number], number> = {
      bias: 1,
      likely: logOdds(probability, CHANCES),
      likelyShare: most > 0 ? probability / most : 0,
      first: likely[0]?.tool === tool ? 1 : 0,
      similar: inSimilar.get(tool) ?? 0,
      surelySimilar: trust * (inSimilar.get(tool) ?? 0),
      nearest: nearest.has(tool) ? trust * (similar[0]?.share ?? 0) : 0,
      company: Math.max(0, ...company),
      required: anyOf(
        others.map(({ tool: host, probability: wanted }) => {
          return wanted * rate(graph.edge(tool, host, 'provides')?.observed, runsOf(host));
        }),
      ),
      supplied: anyOf(
        others.map(({ tool: host, probability: wanted }) => {
          return wanted * rate(graph.edge(host, tool, 'provides')?.observed, runs);
        }),
      ),
      apart: runs === 0 ? 0 : 1 - Math.min(1, Math.max(0, ...together) / runs),
      size: Math.log1p(size),
      reliability: reliability - USUAL_RELIABILITY,
      instead: Math.max(
        0,
        ...others.map(({ tool: host, probability: wanted }) => {
          const isKnown = graph.edge(host, tool, 'alternative') !== undefined;
          return isKnown ? wanted * (USUAL_RELIABILITY - reliabilityOf(graph, host)) : 0;
        }),
      ),
      replaced:
        trust *
        Math.max(0, inAll - (inSimilar.get(tool) ?? 0)) *
        Math.max(0, USUAL_RELIABILITY - reliability),
      rejected: plans.rejections(tool) / (runs + DOUBT + 1),
      repeated: repeated ? repeated.likeness * (repeated.tools.has(tool) ? 1 : -1) : 0,
      ...rivalryOf(tool),
    };
    const own = MEMBER_SIGNALS.map((signal) => values[signal]);
    return { tool, signals: Float64Array.from([...own, ...headsOf(tool)]) };
  });
}

/** What gives values to a tool, and what was called instead of it. */
function belonging(graph: KnowledgeGraph, tool: ToolId): readonly ToolId[] {
  const givers = graph
    .in(tool, ['provides'])
    .map(({ from, observed }) => [from, observed] as const);
  const others = graph
    .out(tool, ['alternative'])
    .map(({ to, observed }) => [to, observed] as const);
  return [...mostOften(givers, BELONGING), ...mostOften(others, BELONGING)];
}

function rate(times = 0, chances: number): number {
  return Math.min(1, times / (chances + DOUBT));
}

/** That at least one is so. */
function anyOf(probabilities: readonly number[]): number {
  return 1 - probabilities.reduce((none, probability) => none * (1 - probability), 1);
}
